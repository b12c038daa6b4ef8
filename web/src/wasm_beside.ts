/** Beside the module, under a name that bundlers find. */
export default new URL(/* @vite-ignore */ "stridescope.wasm", import.meta.url).href;
