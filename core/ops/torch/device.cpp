// Where tensors live: a torch.device can be any of them, a tensor here only on the processor.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What follows "device." in the symbol of one, and what str() gives: "cpu", "cuda:1".
struct DeviceName {
  std::string kind;
  std::optional<int64_t> index;
  std::string text() const { return index ? kind + ":" + std::to_string(*index) : kind; }
};

constexpr int64_t most_index = 127;  // what PyTorch keeps an index in wraps around behind it

DeviceName split_name(std::string_view text) {
  const size_t colon = text.find(':');
  DeviceName name{std::string(text.substr(0, colon)), std::nullopt};
  if (colon == std::string_view::npos) return name;
  int64_t index = 0;
  for (const char digit : text.substr(colon + 1)) index = std::min(10 * index + (digit - '0'), most_index + 1);
  name.index = index;
  return name;
}

bool is_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z'); });
}

/// Digits, without a zero in front of others.
bool is_index(std::string_view text) {
  return !text.empty() && (text.size() == 1 || text[0] != '0') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// c10::Device reads a text: "cuda" or "cuda:1". Nothing: the call failed as it does.
std::optional<DeviceName> read_name(Call& call, const Value& from, const std::string& text) {
  constexpr std::string_view kinds[] = {"cpu",    "cuda", "ipu",  "xpu",  "mkldnn", "opengl",       "opencl",
                                        "ideep",  "hip",  "ve",   "fpga", "maia",   "xla",          "lazy",
                                        "vulkan", "mps",  "meta", "hpu",  "mtia",   "privateuseone"};
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  call.about(from);
  if (text.empty())
    call.fail("RuntimeError", "Device string must not be empty", Msg::no_such_device, {"''"});
  else if (kind.empty() || !is_word(kind) ||
           (colon != std::string::npos && !is_index(std::string_view(text).substr(colon + 1))))
    call.fail("RuntimeError", {"Invalid device string: '", text, "'"}, Msg::no_such_device, {text});
  else if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
    call.fail("RuntimeError",
              {"Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, "
               "vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: ",
               kind},
              Msg::no_such_device, {text});
  else
    return split_name(text);
  call.hint(Msg::hint_cpu);
  return std::nullopt;
}

/// What an argument asks for: a torch.device, a text, or the number of an accelerator, of which there is none.
std::optional<DeviceName> asked_for(Call& call, const Value& device) {
  if (const std::string_view own = device_name(device); !own.empty()) return split_name(own);
  if (const auto* text = std::get_if<std::string>(&device.held)) return read_name(call, device, *text);
  if (const auto* index = std::get_if<int64_t>(&device.held))
    call.about(device).fail(
        "RuntimeError",
        *index < 0 ? "Device index must not be negative" : "Cannot access accelerator device when none is available.",
        Msg::no_such_device, {*index});
  else
    call.about(device).fail_parser({call.name(), "(): argument 'device' must be torch.device, not ", type_name(device)},
                                   Msg::argument_has_type, {"device", "torch.device", type_name(device)});
  call.hint(Msg::hint_cpu);
  return std::nullopt;
}

Value device_value(const DeviceName& name) { return Value{Symbol{"device." + name.text(), nullptr}}; }

Value device_row(Call& call) {
  auto name = asked_for(call, call.value("type"));
  if (!name || !call.given("index") || std::holds_alternative<None>(call.value("index").held)) {
    if (name && name->index.value_or(0) > most_index)
      return call.about("type").refuse(Msg::not_modelled, {"PyTorch", "torch.device('" + name->text() + "')"});
    return name ? device_value(*name) : Value{};
  }
  const int64_t index = call.integer("index");
  if (name->index)
    return call.about("type").fail(
        "RuntimeError", {"type (string) must not include an index because index was passed explicitly: ", name->text()},
        Msg::device_index_twice, {name->text()});
  if (index < 0)
    return call.about("index").fail("RuntimeError", "Device index must not be negative", Msg::no_such_device,
                                    {name->kind + ":" + std::to_string(index)});
  if (index > most_index)
    return call.about("index").refuse(Msg::not_modelled,
                                      {"PyTorch", "torch.device('" + name->kind + "', " + std::to_string(index) + ")"});
  name->index = index;
  return device_value(*name);
}

/// What needs the accelerator that there is none of.
Value without_cuda(Call& call, const std::string& device = "cuda") {
  call.fail("AssertionError", "Torch not compiled with CUDA enabled", Msg::no_such_device, {device});
  call.hint(Msg::hint_without_cuda);
  return {};
}

}  // namespace

Value processor() { return device_value({"cpu", std::nullopt}); }

std::optional<Value> device_attribute(const Value& device, std::string_view name) {
  const DeviceName own = split_name(device_name(device));
  if (name == "type") return Value{own.kind};
  if (name != "index") return std::nullopt;
  return own.index ? Value{*own.index} : Value{};
}

Value cuda_row(Call& call) {
  const Value& device = call.value("device");
  const bool any = std::holds_alternative<None>(device.held);
  const auto name = any ? DeviceName{"cuda", std::nullopt} : asked_for(call, device);
  if (name && name->kind != "cuda")
    return call.about("device").fail("RuntimeError", "Invalid device, must be cuda device", Msg::no_such_device,
                                     {"cuda"});
  if (!name) return {};
  return without_cuda(call, name->text());
}

bool is_processor(Call& call, const Value& device) {
  if (std::holds_alternative<None>(device.held)) return true;
  const auto name = asked_for(call, device);
  if (!name || name->kind == "cpu") return name.has_value();
  const std::string text = name->text();
  call.about(device);
  if (name->kind == "cuda" || name->kind == "xpu")
    call.fail("AssertionError", {"Torch not compiled with ", name->kind == "cuda" ? "CUDA" : "XPU", " enabled"},
              Msg::no_such_device, {text});
  else if (name->kind == "mps")
    call.fail("RuntimeError", "PyTorch is not linked with support for mps devices", Msg::no_such_device, {text});
  else
    call.refuse(Msg::no_such_device, {text});
  call.hint(Msg::hint_cpu);
  return false;
}

std::span<const Op> torch_device_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.device(type: device | str | int, index: int = None)", Msg::op_torch_device,
       "a name, with a number where there are several; tensors here live on the processor",
       "x = torch.zeros(2, device=torch.device('cpu'))", device_row},
      {Library::torch, "x.device\nx.storage().device\nx.untyped_storage().device\ntorch.get_default_device()",
       Msg::op_device, "always the processor here", "x = torch.arange(6)\nx.device", [](Call&) { return processor(); }},
      {Library::torch, "x.get_device()", Msg::op_device, "-1: the processor", "x = torch.arange(6)\nx.get_device()",
       [](Call&) { return Value{int64_t{-1}}; }},
      {Library::torch, "x.is_cpu", Msg::op_device, "always here", "x = torch.arange(6)\nx.is_cpu",
       [](Call&) { return Value{true}; }},
      {Library::torch,
       "torch.cuda.is_available()\ntorch.backends.mps.is_available()\ntorch.backends.cuda.is_built()\n"
       "torch.backends.cudnn.is_available()\ntorch.mps.is_available()\ntorch.xpu.is_available()\n"
       "torch.accelerator.is_available()\ntorch.cuda.is_initialized()\ntorch.cuda.is_bf16_supported()",
       Msg::op_accelerator, "never here, as in a PyTorch that was built without it", "torch.cuda.is_available()",
       [](Call&) { return Value{false}; }},
      {Library::torch, "torch.cuda.device_count()", Msg::op_accelerator, "none here", "torch.cuda.device_count()",
       [](Call&) { return Value{int64_t{0}}; }},
      {Library::torch,
       "torch.cuda.memory_allocated(device=None)\ntorch.cuda.max_memory_allocated(device=None)\n"
       "torch.cuda.memory_reserved(device=None)\ntorch.cuda.max_memory_reserved(device=None)",
       Msg::op_cuda_memory, "no bytes: there is none here", "torch.cuda.memory_allocated()",
       [](Call&) { return Value{int64_t{0}}; }},
      {Library::torch,
       "torch.cuda.empty_cache()\ntorch.cuda.manual_seed(seed)\ntorch.cuda.manual_seed_all(seed)\n"
       "torch.cuda.synchronize(device=None)\ntorch.cuda.current_device()\ntorch.cuda.current_stream(device=None)\n"
       "torch.cuda.get_device_name(device=None)\ntorch.cuda.get_device_properties(device)\n"
       "torch.cuda.get_device_capability(device=None)\ntorch.cuda.mem_get_info(device=None)\n"
       "torch.cuda.ipc_collect()\ntorch.cuda.init()",
       Msg::op_cuda, "nothing to empty and no generator to seed; an error where an answer is waited for",
       "torch.cuda.empty_cache()",
       [](Call& call) {
         const bool done = call.name().ends_with("empty_cache") || call.name().find("seed") != std::string_view::npos;
         return done ? Value{} : without_cuda(call);
       }},
  };
  return rows;
}

}  // namespace stridescope
