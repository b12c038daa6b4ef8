-- Figures from ```stridescope blocks, for Pandoc and Quarto (--lua-filter stridescope.lua).
--
-- A block's options are lines "#| name: value" at its beginning, or attributes of the block: those of `stridescope
-- render` that choose the picture, and label, caption (fig-cap), alt (fig-alt). HTML gets the SVG itself, LaTeX a PDF,
-- other formats an SVG or PNG; beamer gets `all-steps` as overlays (TikZ).
--
-- The program that is run is $STRIDESCOPE_BIN or `stridescope`: a document can choose neither it nor a file. Pictures are
-- kept by a hash of what they are made of, in $STRIDESCOPE_CACHE or the user's cache folder.
--
-- The same file is an engine for pandoc-ext/diagram: diagram: {engine: {stridescope: {package: stridescope}}}.

local program = os.getenv 'STRIDESCOPE_BIN' or 'stridescope'
local system, path = pandoc.system, pandoc.path

local mime = {svg = 'image/svg+xml', pdf = 'application/pdf', png = 'image/png'}

local function run(arguments, code)
  local done, result = pcall(pandoc.pipe, program, arguments, code)
  if not done then
    local code_said = type(result) == 'table' and result.error_code or result
    error('stridescope: a block has no figure (status ' .. tostring(code_said) .. '):\n' .. code, 0)
  end
  return result
end

local function read(name)
  local file = io.open(name, 'rb')
  if not file then return nil end
  local bytes = file:read 'a'
  file:close()
  return bytes
end

-- Pictures by their hash ----------------------------------------------------------------------------------------------

local version

local function cache_folder()
  local folder = os.getenv 'STRIDESCOPE_CACHE'
  if folder then return folder ~= '' and folder or nil end
  local home = os.getenv 'XDG_CACHE_HOME'
  if not home or home == '' then
    local user = os.getenv 'HOME'
    home = user and user ~= '' and path.join {user, '.cache'} or nil
  end
  return home and path.join {home, 'stridescope'}
end

local function make_folder(folder)
  if system.make_directory then return pcall(system.make_directory, folder, true) end
  return pcall(pandoc.pipe, 'mkdir', {'-p', folder}, '')  -- before Pandoc 3
end

--- The bytes that `arguments` make of `code`, from the cache where they are there.
local function made(arguments, code)
  version = version or run({'--version'}, '')
  local folder = cache_folder()
  local file = folder and path.join {folder, pandoc.utils.sha1(version .. table.concat(arguments, '\n') .. '\n\n' .. code)}
  local bytes = file and read(file)
  if bytes then return bytes end
  bytes = run(arguments, code)
  if file and make_folder(folder) then
    local part = file .. '.part'
    local to = io.open(part, 'wb')
    if to then
      to:write(bytes)
      to:close()
      os.rename(part, file)
    end
  end
  return bytes
end

-- What a block asks for -----------------------------------------------------------------------------------------------

local about_text = {caption = true, ['fig-cap'] = true, label = true}

--- Px: on a page of paper a picture is as wide as the text, and a narrower one has larger letters.
local paper_width = '720'

--- Options for the text around the figure, and the program with all others as its option lines.
local function options(block)
  local lines, around = {}, {label = block.identifier ~= '' and block.identifier or nil}
  local names = {}
  for name in pairs(block.attributes) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = block.attributes[name]
    if about_text[name] then
      around[name == 'fig-cap' and 'caption' or name] = value
    else
      lines[#lines + 1] = '#| ' .. name:gsub('[\r\n]', ' ') .. ': ' .. value:gsub('[\r\n]', ' ')
    end
  end
  for line in (block.text .. '\n'):gmatch '(.-)\n' do
    if not line:match '^%s*#' and line:match '%S' then break end
    local name, value = line:match '^%s*#|%s*([%w-]+)%s*:%s*(.-)%s*$'
    if name and about_text[name] then
      around[name == 'fig-cap' and 'caption' or name] = value:match '^"(.*)"$' or value:match "^'(.*)'$" or value
    end
    if name == 'all-steps' and value ~= 'false' then around.all_steps = true end
    if name == 'width' then around.width = value end
  end
  if block.attributes['all-steps'] then around.all_steps = true end
  around.width = around.width or block.attributes.width
  lines[#lines + 1] = block.text
  return around, table.concat(lines, '\n') .. '\n'
end

-- The figure in the document ------------------------------------------------------------------------------------------

local needs_tikz = false

--- The options of `stridescope render` for a format of the picture.
local function rendering(format, around)
  local paper = FORMAT == 'latex' and not around.width
  return paper and {'render', '-', '-T', format, '--width', paper_width} or {'render', '-', '-T', format}
end

local function image(code, format, alt, around)
  local bytes = made(rendering(format, around), code)
  local name = 'stridescope-' .. pandoc.utils.sha1(bytes):sub(1, 12) .. '.' .. format
  pandoc.mediabag.insert(name, mime[format], bytes)
  return pandoc.Image({}, name, '', {alt = alt})
end

--- Pictures and caption as one figure, in words that every version of Pandoc has.
local function figure(around, pictures)
  local caption = around.caption and pandoc.read(around.caption, 'markdown').blocks or pandoc.List {}
  local words = pandoc.utils.blocks_to_inlines(caption)
  if pandoc.Figure then
    return pandoc.Figure(pictures, {long = caption}, pandoc.Attr(around.label or ''))
  elseif FORMAT:match 'html' then
    local id = around.label and ' id="' .. around.label:gsub('[^%w:._-]', '') .. '"' or ''
    local blocks = pandoc.List {pandoc.RawBlock('html', '<figure' .. id .. '>')} .. pictures
    if #words > 0 then
      blocks = blocks .. {pandoc.RawBlock('html', '<figcaption>'), pandoc.Plain(words), pandoc.RawBlock('html', '</figcaption>')}
    end
    return blocks .. {pandoc.RawBlock('html', '</figure>')}
  end
  local first = pictures[1]
  if #pictures == 1 and first.t == 'Plain' and first.content[1].t == 'Image' and #words > 0 then
    local one = first.content[1]
    one.caption, one.title, one.identifier = words, 'fig:', around.label or ''
    return pandoc.Para {one}
  end
  if #words > 0 then pictures[#pictures + 1] = pandoc.Para(words) end
  return pandoc.Div(pictures, pandoc.Attr(around.label or ''))
end

function CodeBlock(block)
  if not block.classes:includes 'stridescope' then return nil end
  local around, code = options(block)
  if FORMAT:match 'html' or FORMAT == 'revealjs' or FORMAT == 'slidy' or FORMAT == 's5' then
    -- No wider than the column that it stands in.
    local svg = made(rendering('svg', around), code):gsub('^<svg', '<svg style="max-width:100%%;height:auto"')
    return figure(around, {pandoc.RawBlock('html', svg)})
  end
  if (FORMAT == 'beamer' or FORMAT == 'latex') and around.all_steps then
    needs_tikz = true
    -- As wide as the text, unless that is too high for the slide.
    return figure(around, {pandoc.RawBlock('latex', '\\setbox0\\hbox{\\resizebox{\\linewidth}{!}{%\n' .. made(rendering('tikz', around), code) ..
      '}}\\ifdim\\ht0>0.75\\textheight\\resizebox{!}{0.75\\textheight}{\\box0}\\else\\box0\\fi')})
  end
  local format = (FORMAT == 'latex' or FORMAT == 'beamer' or FORMAT == 'context') and 'pdf' or FORMAT:match 'epub' and 'svg' or 'png'
  local alt = made({'render', '-', '-T', 'alt'}, code):gsub('%s+$', '')
  return figure(around, {pandoc.Plain {image(code, format, alt, around)}})
end

function Meta(meta)
  if not needs_tikz then return nil end
  local includes = meta['header-includes']
  includes = includes and (includes.t == 'MetaList' or pandoc.utils.type and pandoc.utils.type(includes) == 'List') and includes or pandoc.MetaList(includes and {includes} or {})
  includes[#includes + 1] = pandoc.MetaBlocks {pandoc.RawBlock('latex', '\\usepackage{tikz}')}
  meta['header-includes'] = includes
  return meta
end

-- As a filter the two functions, one after the other; as an engine of pandoc-ext/diagram the rest.
return {
  {CodeBlock = CodeBlock},
  {Meta = Meta},
  line_comment_start = '#',
  mime_types = {[mime.svg] = true, [mime.pdf] = true, [mime.png] = true},
  mime_type = mime.svg,
  compile = function(self, code)
    local wanted = self.mime_type or mime.svg
    for format, name in pairs(mime) do
      if name == wanted then return made({'render', '-', '-T', format}, code), wanted end
    end
    return made({'render', '-', '-T', 'svg'}, code), mime.svg
  end,
}
