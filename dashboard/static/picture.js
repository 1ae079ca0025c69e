// Draws a page's picture: headings and sentences, and under them rows of matrices as square-celled
// heatmaps with operators between them. What it draws is made by picture.py; see there for the words.

const SMALLEST_CELL_ON_ONE_LINE = 18
const LARGEST_BROKEN_CELL = 30
const SMALLEST_PRINTED = 12
const THINNEST = 10
const TALLEST = 640
const NAME = { font: 15, height: 22 }
const SMALL = { font: 11, height: 15 }
const GAP = 10
const MARGIN = 2 // for the frames, which are drawn around the cells
const LEGEND = { height: 20, bar: 64 }
const CURVE = { width: 400, height: 230, left: 34, bottom: 34, wide: { width: 760, height: 300 } }

// By the element that holds them: Streamlit may unmount a component and mount it on the same element.
const pictures = new WeakMap()

export function draw({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".picture")
  if (!pictures.has(host)) pictures.set(host, start(host))
  const picture = pictures.get(host)
  Object.assign(picture, data.picture, {
    inspect: (unit) => setTriggerValue("unit", unit),
    report: (step) => setTriggerValue("step", step),
  })
  // Into new objects: Streamlit may hand over the same data once more.
  picture.blocks = picture.blocks.map((block) => unpack(block, picture.packed))
  picture.panels.forEach((panel, index) => {
    picture.sections[index] ??= addSection(picture, index)
    const rows = panel.rows.map((items) => items.map((item) => resolve(picture, item)))
    follow(picture.sections[index], { ...panel, rows })
  })
  for (const section of picture.sections.splice(picture.panels.length)) section.element.remove()
  showStep(picture)
  picture.sections.forEach(write)
  picture.sections.forEach(describeDrawing)
  picture.resize.observe(host)
  render(picture)
  pointAgain(picture)
}

export function unmount({ parentElement }) {
  const host = parentElement.querySelector(".picture")
  pictures.get(host)?.resize.disconnect()
  pictures.get(host)?.sight.disconnect()
  pictures.get(host)?.sections.forEach(pause)
}

function start(host) {
  const tip = host.querySelector(".tip")
  const cursor = Object.assign(document.createElement("div"), { className: "cursor" })
  const picture = { host, tip, cursor, sections: [], pointed: null, width: host.clientWidth, widths: new Map() }
  picture.resize = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === picture.width) return
    picture.width = contentRect.width
    hide(picture)
    render(picture)
  })
  // While a key is held on a slider, only what is in sight is drawn; the rest when it comes into sight.
  picture.sight = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const section = picture.sections.find(({ strips }) => strips.includes(target.strip))
        if (!section) continue
        target.strip.hidden = !isIntersecting
        if (isIntersecting) paint(picture, section)
      }
    },
    { rootMargin: "100px" },
  )
  return picture
}

// ---- the page around the canvases ----------------------------------------------------------

function addSection(picture, index) {
  const element = document.createElement("section")
  const add = (tag, className = "") => element.appendChild(Object.assign(document.createElement(tag), { className }))
  const section = {
    element,
    title: add("h2"),
    text: add("p"),
    scrub: add("div", "scrub"),
    drawing: add("div", "drawing"),
    strips: [],
    at: { index: 0, row: 0, column: 0 }, // from where the keys go on
    save: add("div", "save"),
    code: add("div"),
    note: add("p", "note"),
  }
  const { drawing } = section
  drawing.onpointermove = drawing.onpointerdown = (event) => pointAt(picture, section, event)
  // A finger leaves before it clicks, and its tip should stay.
  drawing.onpointerleave = (event) => event.pointerType === "mouse" && leave(picture)
  drawing.onclick = () => pick(picture)
  drawing.onkeydown = (event) => press(picture, section, event)
  drawing.onfocus = () => drawing.matches(":focus-visible") && walk(picture, section)
  drawing.onblur = () => drawing.contains(picture.cursor) && leave(picture)
  addScrub(picture, section)
  addSave(picture, section)
  picture.host.querySelector(".panels").append(element)
  return section
}

// Text with subscripts. Only what changed is touched: an unchanged paragraph costs nothing.
function put(element, text) {
  if (element.source === text) return
  element.source = text
  const subscript = (text) => Object.assign(document.createElement("sub"), { textContent: text })
  element.replaceChildren(...pieces(text).map(({ text, low }) => (low ? subscript(text) : text)))
}

function write(section) {
  const { panel, step } = section
  const moment = panel.scrub?.steps[step]
  put(section.title, moment ? moment[1] : panel.title)
  put(section.text, panel.text)
  put(section.note, moment ? moment[2] : panel.note)
  const code = panel.code.join("\n")
  if (section.code.source !== code) {
    section.code.source = code
    section.code.replaceChildren(
      ...panel.code.map((line) => Object.assign(document.createElement("code"), { textContent: line })),
    )
  }
  section.drawing.hidden = section.save.hidden = !panel.rows.length
}

// An image, unless there is something in it to go to with the keys.
function describeDrawing(section) {
  const { drawing, panel } = section
  const parts = targets(section)
  const follows = [parts.some(({ units }) => units) && "the unit", parts.some((part) => part.over_time) && "the step"]
  const enter = follows.some(Boolean) ? `; Enter follows ${follows.filter(Boolean).join(" or ")}` : ""
  const ariaLabel = parts.length ? `${panel.alt} Arrow keys go from number to number${enter}.` : panel.alt
  if (drawing.ariaLabel === ariaLabel) return
  Object.assign(drawing, { ariaLabel, role: parts.length ? "application" : "img" })
  if (parts.length) drawing.tabIndex = 0
  else drawing.removeAttribute("tabindex")
}

// ---- saving what is drawn as a file --------------------------------------------------------

function addSave(picture, section) {
  for (const [name, paint] of [["PNG", asPng], ["SVG", asSvg]]) {
    const button = section.save.appendChild(document.createElement("button"))
    const onclick = async () => download(await paint(picture, section), section.title.textContent, name.toLowerCase())
    Object.assign(button, { type: "button", textContent: name, onclick, ariaLabel: `Save this drawing as ${name}` })
  }
}

function download(blob, title, ending) {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "cellscope"
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${name}.${ending}` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
}

// All strips, on the page's own colour, with whatever takes the calls of a canvas.
function paintAll(picture, section, context) {
  context.fillStyle = section.ink.look.paper
  context.fillRect(0, 0, picture.width, heightOf(section))
  section.ink.context = context
  for (const strip of section.strips) paintStrip(picture, section, strip)
}

function heightOf({ strips }) {
  return strips.at(-1).top + strips.at(-1).height
}

function asPng(picture, section) {
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: 2 * picture.width, height: 2 * heightOf(section) })
  const context = canvas.getContext("2d")
  context.scale(2, 2)
  paintAll(picture, section, context)
  return new Promise((done) => canvas.toBlob(done))
}

async function asSvg(picture, section) {
  const { SvgContext } = await import(new URL("svg.js", import.meta.url))
  const context = new SvgContext(picture.width, heightOf(section))
  paintAll(picture, section, context)
  return new Blob([context.toString()], { type: "image/svg+xml" })
}

// ---- scrubbing: steps that were computed beforehand, shown without asking the server -------

function addScrub(picture, section) {
  const add = (tag, properties) => section.scrub.appendChild(Object.assign(document.createElement(tag), properties))
  const toggle = () => (section.playing ? (pause(section), reportStep(picture)) : play(picture, section))
  section.play = add("button", { type: "button", onclick: toggle })
  section.slider = add("input", {
    type: "range",
    min: 0,
    oninput: () => scrubTo(picture, Number(section.slider.value)),
    onchange: () => reportStep(picture),
  })
  section.output = add("span", {})
  pause(section)
}

// A new panel starts where it says, unless that is where the last one did or what was reported: then the reader's
// step stays, who may be further on by now.
function follow(section, panel) {
  section.scrub.hidden = !panel.scrub
  if (panel.scrub) {
    const labels = ({ steps }) => steps.map(([label]) => label).join()
    const before = section.panel?.scrub
    const known = before && labels(before) === labels(panel.scrub)
    if (!known || ![before.start, section.reported].includes(panel.scrub.start)) {
      section.step = panel.scrub.start
      section.reported = null
    }
    section.slider.max = panel.scrub.steps.length - 1
    section.slider.ariaLabel = panel.scrub.label
  }
  section.panel = panel
}

function scrubbed(picture) {
  return picture.sections.find(({ panel }) => panel.scrub)
}

// Every panel of the picture stands at the step of its one scrub.
function showStep(picture) {
  const { panel, step, slider, output } = scrubbed(picture) ?? {}
  if (!panel) return
  const [label] = panel.scrub.steps[step]
  slider.value = step
  slider.ariaValueText = label
  output.textContent = `${panel.scrub.label}: ${label}`
  for (const item of picture.sections.flatMap(({ panel }) => partsOf(panel))) {
    if (item.over_time) item.now = item.column_edges.findLastIndex((edge) => edge <= step)
    if (!item.frames) continue
    const size = item.frames.length / panel.scrub.steps.length
    item.numbers = item.frames.subarray(step * size, (step + 1) * size)
  }
}

function scrubTo(picture, step) {
  scrubbed(picture).step = step
  hide(picture)
  showStep(picture)
  write(scrubbed(picture))
  for (const section of picture.sections) {
    if (!partsOf(section.panel).some((item) => item.frames || item.over_time)) continue
    refresh(picture, section)
  }
}

function reportStep(picture) {
  const section = scrubbed(picture)
  const { panel, step } = section
  if (!panel.scrub.reported || step === (section.reported ?? panel.scrub.start)) return
  section.reported = step
  picture.report(step + 1)
}

function play(picture, section) {
  section.play.textContent = "❚❚"
  section.play.ariaLabel = "Pause"
  const ended = () => !section.panel.scrub || section.step >= section.panel.scrub.steps.length - 1
  if (ended()) scrubTo(picture, 0)
  section.playing = setInterval(() => {
    if (section.element.isConnected && !ended()) return scrubTo(picture, section.step + 1)
    pause(section)
    if (section.panel.scrub) reportStep(picture)
  }, Math.min(600, Math.max(120, 6000 / section.panel.scrub.steps.length)))
}

function pause(section) {
  clearInterval(section.playing)
  section.playing = null
  section.play.textContent = "▶"
  section.play.ariaLabel = "Play"
}

// ---- numbers and names ---------------------------------------------------------------------

function partsOf(panel) {
  return panel.rows.flat().flatMap((item) => item.column ?? [item])
}

function blocksOf(panel) {
  return partsOf(panel).filter((item) => item.rows)
}

// A block may stand in several places, each with a position of its own.
function resolve(picture, item) {
  if (item.column) return { column: item.column.map((part) => resolve(picture, part)) }
  if (item.curve) {
    const lines = item.lines.map((line) => ({ ...line, points: floats(line.values, true) }))
    return { ...item, lines, numbers: floats(item.dots, false), frames: item.frames && floats(item.frames, true) }
  }
  return item.block === undefined ? item : { ...picture.blocks[item.block] }
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text)
  const chars = atob(text)
  const bytes = new Uint8Array(chars.length)
  for (let index = 0; index < chars.length; index++) bytes[index] = chars.charCodeAt(index)
  return bytes
}

function floats(text, single) {
  const bytes = fromBase64(text)
  return single ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer)
}

function unpack(block, packed) {
  const [, palette, low, high] = block.scale
  const at = (index, single) => index !== null && floats(packed[index], single)
  const values = at(block.values, block.single)
  const numbers = block.over_time ? transposed(values, block) : values
  const frames = at(block.frames, block.single_frames)
  return { ...block, palette, low, high, numbers, frames, outlined: at(block.outlined, true) }
}

function transposed(byColumns, { rows, columns }) {
  return byColumns.map((_, index) => byColumns[(index % columns) * rows + Math.floor(index / columns)])
}

// The same rule as `number` in picture.py; a power of ten may have fewer decimals where there is little room.
function number(value, decimals, mantissa = decimals) {
  const size = Math.abs(value)
  let text
  if (Number.isInteger(value) && size < 1e6) text = String(value)
  else if (size <= 0.5 * 10 ** -decimals || size >= 1e6) {
    text = value.toExponential(mantissa).replace("e+", "e")
  } else text = value.toFixed(decimals)
  return text.replaceAll("-", "−")
}

// Symbols are written as in the equations, W_h and W_{hh}: the subscript is what follows the line. A line
// within a word is only a line, and so are two lines together.
function pieces(text) {
  const found = text.matchAll(/_(_)|_\{([^}]*)\}|_([A-Za-z0-9])(?![A-Za-z0-9])|([^_]+|_)/g)
  return [...found].map(([, line, braced, single, plain]) => ({
    text: line ?? braced ?? single ?? plain,
    low: (braced ?? single) !== undefined,
  }))
}

// What the entry is called, such as "unit 2" or "x 3"; of a mean, all the entries that are in it.
function entry(parts, edges, index) {
  const [from, to] = [edges[index], edges[index + 1]]
  let start = 0
  for (const [name, size] of parts) {
    if (!name) return ""
    if (from < start + size) {
      const first = from - start + 1
      return `${name} ${first}${to - from > 1 ? ` to ${to - start}` : ""}`
    }
    start += size
  }
}

function describe({ block, row, column }) {
  if (block.rows && Number.isNaN(block.numbers[row * block.columns + column])) return block.nothing
  if (block.curve) {
    const [z, g] = [block.numbers[2 * row], block.numbers[2 * row + 1]]
    return `unit ${row + 1}: ${block.curve}(${number(z, 4)}) ≈ ${number(g, 4)}`
  }
  const value = block.numbers[row * block.columns + column]
  const places = [entry(block.row_parts, block.row_edges, row)]
  if (block.column_parts) places.push(entry(block.column_parts, block.column_edges, column))
  const where = [block.symbol, ...places].filter(Boolean).join(", ")
  const exact = String(block.single ? Number(value.toPrecision(6)) : value)
  const height = block.row_edges[row + 1] - block.row_edges[row]
  const width = block.column_edges[column + 1] - block.column_edges[column]
  const mean = height * width > 1 ? `, the mean of ${height}×${width}` : ""
  return `${where}: ${exact.replaceAll("-", "−")}${mean}${block.hover ? `\n${block.hover[row]}` : ""}`
}

// ---- layout --------------------------------------------------------------------------------

function nameWidth(ink, name) {
  const key = `${ink.look.font} ${name}`
  if (!ink.widths.has(key)) {
    const widths = pieces(name).map(({ text, low }) => ink.width(text, low ? SMALL.font : NAME.font))
    ink.widths.set(key, widths.reduce((sum, width) => sum + width, 0))
  }
  return ink.widths.get(key)
}

function headHeight(item) {
  const block = item.column?.[0] ?? item
  if (block.curve) return NAME.height
  return NAME.height * (block.column_parts?.length > 1 ? 2 : 1)
}

// Cells are square, but a single row or column never gets too thin to be seen.
function extent(block, cell) {
  const across = block.columns === 1 ? Math.max(cell, THINNEST) : cell
  const down = block.rows === 1 ? Math.max(cell, THINNEST) : cell
  return { across, down, width: block.columns * across, height: block.rows * down }
}

function size(ink, item, cell) {
  if (item.op) return { width: nameWidth(ink, item.op) + 8, height: 0 }
  if (item.curve) {
    const { width, height } = item.wide ? CURVE.wide : CURVE
    return { width: Math.min(width, ink.limit - 2 * MARGIN), height: NAME.height + height }
  }
  if (item.column) {
    const sizes = item.column.map((block) => size(ink, block, cell))
    return {
      width: Math.max(...sizes.map(({ width }) => width)),
      height: sizes.reduce((sum, { height }) => sum + height + GAP, -GAP),
    }
  }
  const { width, height } = extent(item, cell)
  const labels = item.columns === 1 && item.row_parts.length > 1 ? item.row_parts : []
  const beside = Math.max(0, ...labels.map(([, , label]) => nameWidth(ink, label) + 5))
  const below = Math.max(ink.width(item.shape, SMALL.font), item.mean ? ink.width(item.mean, SMALL.font) : 0)
  return {
    width: Math.max(width + beside, nameWidth(ink, item.symbol), below),
    height: headHeight(item) + height + SMALL.height * (item.mean ? 2 : 1),
  }
}

// Where each item of a row starts, and where the row ends. `from` moves an aligned item to the right.
function spread(ink, items, cell, from = 0) {
  let x = MARGIN
  const starts = items.map((item) => {
    if (item.align) x = Math.max(x, from)
    const start = x
    x += size(ink, item, cell).width + GAP
    return start
  })
  return { starts, end: x - GAP + MARGIN }
}

function alignment(ink, rows, cell) {
  return Math.max(
    0,
    ...rows.map((items) => {
      const index = items.findIndex((item) => item.align)
      return index < 0 ? 0 : spread(ink, items, cell).starts[index]
    }),
  )
}

// Whole pixels where they are large, quarters where they are small.
const CELLS = Array.from({ length: 61 + 28 }, (_, index) => (index < 28 ? 1 + index / 4 : index - 20))

// The largest cell that fits, by bisection: what fits with some cell fits with every smaller one.
function largestCell(ink, fits) {
  let [low, high] = [0, CELLS.findLastIndex((cell) => cell <= ink.largest)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(CELLS[middle])) low = middle
    else high = middle - 1
  }
  return CELLS[low]
}

// A row that is too long for one line is broken before an operator.
function lines(ink, items, cell) {
  const broken = [[]]
  for (const item of items) {
    const line = broken.at(-1)
    if (!line.length || spread(ink, [...line, item], cell).end <= ink.limit) line.push(item)
    else if (line.length > 1 && line.at(-1).op) broken.push([line.pop(), item])
    else broken.push([item])
  }
  return broken
}

// What the layout of a panel follows from: while numbers change, it seldom does.
function geometry({ limit, largest, look }, rows) {
  const of = ({ op, align, curve, wide, column, symbol, shape, mean, row_parts, column_parts }) =>
    column ? column.map(of) : [op, align, curve && [wide], symbol, shape, mean, row_parts, column_parts]
  return JSON.stringify([limit, largest, look.font, rows.map((items) => items.map(of))])
}

// The plan of a panel: that of the last time where nothing in it moves, with the new items.
function planned(ink, section) {
  const { rows } = section.panel
  const key = geometry(ink, rows)
  if (section.plan?.key !== key) return { ...layout(ink, rows), key }
  const items = rows.flat()
  return { ...section.plan, rows: section.plan.rows.map((line) => items.splice(0, line.length)) }
}

// One row on one line where its cells stay large enough for that, aligned where that costs little.
function layout(ink, rows) {
  const low = (items, cell) => Math.max(...items.map((item) => size(ink, item, cell).height)) <= TALLEST
  const fits = (rows, cell, from = 0) =>
    rows.every((items) => spread(ink, items, cell, from).end <= ink.limit && low(items, cell))
  const broken = (cell) => rows.flatMap((items) => lines(ink, items, cell))

  const plain = largestCell(ink, (cell) => fits(rows, cell))
  const overlong = !fits(rows, plain)
  if (plain < SMALLEST_CELL_ON_ONE_LINE || overlong) {
    const cell = Math.min(LARGEST_BROKEN_CELL, largestCell(ink, (cell) => fits(broken(cell), cell)))
    if (overlong || (cell >= 1.5 * plain && cell >= SMALLEST_PRINTED)) return { cell, rows: broken(cell), from: 0 }
  }
  const aligned = largestCell(ink, (cell) => fits(rows, cell, alignment(ink, rows, cell)))
  if (aligned >= 0.9 * plain) return { cell: aligned, rows, from: alignment(ink, rows, aligned) }
  return { cell: plain, rows, from: 0 }
}

// Gives every item its place, and returns what each row takes: a strip of the panel with a canvas of its own.
function place(ink, { cell, rows, from }) {
  let y = 0
  return rows.map((items) => {
    const bodies = items.filter((item) => !item.op)
    const rowsOf = (item) => (item.curve ? Infinity : item.rows)
    const head = Math.max(...bodies.map(headHeight))
    const shortest = Math.min(...bodies.map((item) => rowsOf(item.column?.[0] ?? item)))
    const { starts } = spread(ink, items, cell, from)
    items.forEach((item, index) => {
      const x = starts[index]
      Object.assign(item, { x, y: item.op ? y + head + (Math.min(shortest, 16) * cell) / 2 : y + head })
      for (const block of (item.column ?? [item]).filter((part) => part.rows)) Object.assign(block, extent(block, cell))
      let top = y + head
      for (const block of item.column ?? []) {
        Object.assign(block, { x, y: top })
        top += size(ink, block, cell).height + GAP
      }
    })
    const top = y
    y += Math.ceil(head + Math.max(...bodies.map((item) => size(ink, item, cell).height - headHeight(item))) + GAP)
    return { top, height: y - top, items }
  })
}

// ---- drawing -------------------------------------------------------------------------------

function render(picture) {
  if (!picture.width) return
  const look = theme(picture.host)
  picture.host.style.colorScheme = look.dark ? "dark" : "light"
  // Room for every decimal beyond the usual two.
  const largest = 40 + 7 * Math.max(0, picture.decimals - 2)
  for (const section of picture.sections) {
    if (section.drawing.hidden) continue
    section.ink = makeInk(look, picture.width, fittingCell(section.panel, largest), picture.widths)
    section.plan = planned(section.ink, section)
    section.legends = placeLegends(section.ink, section.panel.legends)
    const rows = place(section.ink, section.plan)
    const { top, height } = rows.at(-1)
    const legends = { top: top + height, height: LEGEND.height * (1 + (section.legends.at(-1)?.line ?? -1)) + 8, items: [] }
    stretch(picture, section, [...rows, legends])
    refresh(picture, section)
  }
}

// The largest side of a cell with which a panel is as wide, or as tall, as it wants to be.
function fittingCell({ fit, rows }, largest) {
  if (!fit) return largest
  const [axis, pixels, smallest] = fit
  const most = Math.max(...blocksOf({ rows }).map((block) => block[axis]))
  return Math.min(largest, Math.max(smallest, pixels / most))
}

// A canvas for each row: one for the whole panel would be drawn as a whole, in sight or not.
function stretch(picture, section, rows) {
  for (const { canvas } of section.strips.splice(rows.length)) {
    picture.sight.unobserve(canvas)
    canvas.remove()
  }
  rows.forEach((row, index) => {
    if (!section.strips[index]) {
      const canvas = section.drawing.appendChild(document.createElement("canvas"))
      section.strips[index] = canvas.strip = { canvas, context: canvas.getContext("2d") }
    }
    Object.assign(section.strips[index], row)
    section.strips[index].canvas.style.height = `${row.height}px`
    picture.sight.observe(section.strips[index].canvas)
  })
}

// What is pointed at changed, or the step, and nothing else: every item keeps its place.
function repaint(picture) {
  for (const section of picture.sections) refresh(picture, section)
}

function refresh(picture, section) {
  for (const strip of section.strips) strip.stale = true
  paint(picture, section)
}

function paint(picture, section) {
  if (section.drawing.hidden) return
  for (const strip of section.strips) {
    if (strip.hidden || !strip.stale) continue
    strip.stale = false
    section.ink.context = strip.context
    prepare(section.ink, strip)
    paintStrip(picture, section, strip)
  }
  section.drawing.blocks = blocksOf(section.panel) // what was drawn and where, for whoever asks the drawing
}

function paintStrip(picture, { ink, plan, legends }, { items, top }) {
  for (const item of items) {
    if (item.op) drawName(ink, item.op, item.x + 4, item.y + NAME.font / 3)
    else for (const part of item.column ?? [item]) drawPart(picture, ink, part, plan.cell)
  }
  if (!items.length) drawLegends(picture, ink, legends, top)
}

function drawPart(picture, ink, part, cell) {
  if (part.curve) drawCurve(picture, ink, part)
  else drawBlock(picture, ink, part, cell)
}

function theme(host) {
  const style = getComputedStyle(host)
  const dark = luminance(rgb(style.getPropertyValue("--st-background-color"))) < 0.3
  return {
    dark,
    text: style.color,
    accent: dark ? "#ff4fd0" : "#c2006b",
    outline: dark ? "#3ddc84" : "#007a3d",
    paper: style.getPropertyValue("--st-background-color"),
    font: style.fontFamily,
  }
}

// Widths of texts are the same on every canvas.
const ruler = document.createElement("canvas").getContext("2d")

function makeInk(look, limit, largest, widths) {
  const ink = {
    context: ruler,
    look,
    limit,
    largest,
    widths,
    use: (font) => (ink.context.font = `${font}px ${look.font}`),
    width(text, font) {
      const key = `${font} ${look.font} ${text}`
      if (!widths.has(key)) {
        ruler.font = `${font}px ${look.font}`
        widths.set(key, ruler.measureText(text).width)
      }
      return widths.get(key)
    },
  }
  return ink
}

function prepare({ context, limit }, { canvas, top, height }) {
  const ratio = window.devicePixelRatio || 1
  const [width, tall] = [Math.round(limit * ratio), Math.round(height * ratio)]
  if (canvas.width !== width || canvas.height !== tall) Object.assign(canvas, { width, height: tall })
  context.setTransform(ratio, 0, 0, ratio, 0, -top * ratio)
  context.clearRect(0, top, limit, height)
}

function rgb(hex) {
  return [1, 3, 5].map((start) => parseInt(hex.trim().slice(start, start + 2), 16))
}

// As WCAG 2 defines it, from 0 to 1.
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const tables = new Map()

// 256 colours between the stops of a palette.
function colours(picture, palette, look) {
  const stops = picture.palettes[palette][look.dark ? "dark" : "light"]
  const key = stops.join()
  if (!tables.has(key)) {
    const table = Array.from({ length: 256 }, (_, index) => {
      const at = (index / 255) * (stops.length - 1)
      const low = Math.min(Math.floor(at), stops.length - 2)
      const [a, b] = [rgb(stops[low]), rgb(stops[low + 1])]
      const colour = a.map((part, i) => Math.round(part + (b[i] - part) * (at - low)))
      // Where black and white differ from a colour equally, its luminance is 0.18.
      return { rgb: colour, css: `rgb(${colour})`, number: luminance(colour) > 0.18 ? "#000000" : "#ffffff" }
    })
    tables.set(key, table)
  }
  return tables.get(key)
}

function drawName({ context, look, use, width }, name, x, y) {
  context.fillStyle = look.text
  context.textAlign = "left"
  for (const { text, low } of pieces(name)) {
    const font = low ? SMALL.font : NAME.font
    use(font)
    context.fillText(text, x, y + (low ? 4 : 0))
    x += width(text, font)
  }
}

function drawBlock(picture, ink, block, cell) {
  const { context, look } = ink
  const table = colours(picture, block.palette, look)
  const shades = Array.from(block.numbers, (value) => {
    if (Number.isNaN(value)) return NOTHING
    const share = (value - block.low) / (block.high - block.low)
    return table[Math.round(255 * Math.min(1, Math.max(0, share)))]
  })
  const { height } = block
  if (cell < 8) drawPixels(context, block, shades)
  else drawCells(context, block, shades)
  printNumbers(ink, block, shades, cell, picture.decimals)
  outline(ink, block)
  drawName(ink, block.symbol, block.x, block.y - 7 - (block.column_parts?.length > 1 ? NAME.height : 0))

  ink.use(SMALL.font)
  context.globalAlpha = 0.75
  context.fillStyle = look.text
  context.fillText(block.shape, block.x, block.y + height + SMALL.height - 2)
  if (block.mean) context.fillText(block.mean, block.x, block.y + height + 2 * SMALL.height - 2)
  context.globalAlpha = 1
  if (block.units) markUnits(picture, ink, block)
  if (block.over_time) markColumn(ink, block)
  if (block.outlined) outlineEntries(ink, block)
}

// The texts of a matrix in the largest font in which all fit, with fewer decimals if need be: first those of
// powers of ten, where there are any.
function fitting(ink, block, cell, decimals) {
  for (let mantissa = decimals; mantissa >= 0; mantissa--) {
    const texts = Array.from(block.numbers, (value) => number(value, decimals, mantissa))
    // Digits are as wide as each other: with zeros in their place its width is mostly known already.
    const longest = texts.reduce((a, b) => (b.length > a.length ? b : a)).replace(/\d/g, "0")
    const font = [14, 13, 12, 11, 10, 9].find((font) => ink.width(longest, font) <= cell - 4 && font <= cell - 3)
    if (font) return { texts, font }
    if (!longest.includes("e")) break
  }
  return decimals > 1 ? fitting(ink, block, cell, decimals - 1) : {}
}

// Where there is no number, the page shows through.
const NOTHING = { rgb: [0, 0, 0], css: "transparent", number: "transparent" }

const scratch = document.createElement("canvas")

function drawPixels(context, block, shades) {
  const image = new ImageData(block.columns, block.rows)
  shades.forEach((shade, index) => {
    const [red, green, blue] = shade.rgb
    image.data[4 * index] = red
    image.data[4 * index + 1] = green
    image.data[4 * index + 2] = blue
    image.data[4 * index + 3] = shade === NOTHING ? 0 : 255
  })
  Object.assign(scratch, { width: block.columns, height: block.rows })
  scratch.getContext("2d").putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(scratch, block.x, block.y, block.width, block.height)
}

function drawCells(context, block, shades) {
  const { across, down } = block
  shades.forEach(({ css }, index) => {
    const [row, column] = [Math.floor(index / block.columns), index % block.columns]
    context.fillStyle = css
    context.fillRect(block.x + column * across, block.y + row * down, across - 1, down - 1)
  })
}

// All the numbers of a matrix are printed, or none: a half-printed one reads as a message. Where they
// do not fit with all their decimals, they are printed with fewer; pointing at a cell shows the rest.
function printNumbers(ink, block, shades, cell, decimals) {
  block.printed = []
  if (block.mean || block.single || cell < SMALLEST_PRINTED) return
  const { texts, font } = fitting(ink, block, cell, decimals)
  if (!font) return
  const { context } = ink
  ink.use(font)
  context.textAlign = "center"
  texts.forEach((text, index) => {
    const [row, column] = [Math.floor(index / block.columns), index % block.columns]
    context.fillStyle = shades[index].number
    context.fillText(text, block.x + (column + 0.5) * cell, block.y + (row + 0.5) * cell + font * 0.36)
  })
  block.printed = texts
}

// Each part of a join has an outline and a name: above its columns or beside its rows.
function outline(ink, block) {
  const { context, look } = ink
  context.strokeStyle = look.text
  context.lineWidth = 1.5
  const down = strips(block.row_parts, block.row_edges, block.down)
  const across = strips(block.column_parts ?? [], block.column_edges, block.across)
  context.strokeRect(block.x, block.y, block.width, block.height)
  for (const { from, to, label } of down) {
    context.strokeRect(block.x, block.y + from, block.width, to - from)
    const fits = block.columns === 1 && to - from >= NAME.font - 2
    if (fits) drawName(ink, label, block.x + block.width + 5, block.y + (from + to) / 2 + 5)
  }
  for (const { from, to, label } of across) {
    context.strokeRect(block.x + from, block.y, to - from, block.height)
    const fits = to === block.width || nameWidth(ink, label) <= to - from
    if (fits) drawName(ink, label, block.x + from, block.y - 7)
  }
}

// Each entry by itself where there is room; of small ones around all that lie together.
function outlineEntries({ context, look }, block) {
  const { x, y, across, down, rows, columns } = block
  const apart = Math.min(across, down) >= 10
  const inside = (row, column) =>
    row >= 0 && row < rows && column >= 0 && column < columns && block.outlined[row * columns + column] > 0.5
  context.beginPath()
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [left, top] = [x + column * across - 0.5, y + row * down - 0.5]
      const here = inside(row, column)
      if (apart && here) context.rect(left + 2, top + 2, across - 4, down - 4)
      if (!apart && here !== inside(row, column - 1)) context.rect(left, top, 0, down)
      if (!apart && here !== inside(row - 1, column)) context.rect(left, top, across, 0)
    }
  }
  // On a line in the page's own colour it can be told from light cells and from dark ones.
  context.strokeStyle = look.paper
  context.lineWidth = 3.5
  context.stroke()
  context.strokeStyle = look.outline
  context.lineWidth = 2
  context.stroke()
}

function markColumn({ context, look }, block) {
  context.strokeStyle = look.accent
  context.lineWidth = 2
  const across = Math.max(block.across, 3)
  context.strokeRect(block.x + (block.now + 0.5) * block.across - across / 2 - 1, block.y - 2, across + 1, block.height + 4)
}

// From where to where the parts of a join reach; of what is not joined there are none.
function strips(parts, edges, cell) {
  if (parts.length < 2) return []
  let end = 0
  return parts.map(([, length, label]) => {
    const [from, to] = [end, (end += length)].map((at) => edges.indexOf(at) * cell)
    return { from, to, label }
  })
}

// The inspected unit has a thick frame in every matrix whose rows are units, the pointed one a thin one.
function markUnits(picture, { context, look }, block) {
  const frame = (row, lineWidth) => {
    context.strokeStyle = look.accent
    context.lineWidth = lineWidth
    context.strokeRect(block.x - 1, block.y + row * block.down - 1, block.width + 2, block.down + 1)
  }
  frame(block.row_edges.findLastIndex((edge) => edge <= picture.unit), 2.5)
  const { block: pointed, row } = picture.pointed ?? {}
  if (pointed?.units && row < block.rows) frame(row, 1.5)
}

// Where the axes of a curve are, and what stands where between them.
function axes(ink, item) {
  const [left, top] = [item.x + CURVE.left, item.y + 4]
  const width = size(ink, item).width - CURVE.left - 10
  const height = size(ink, item).height - NAME.height - CURVE.bottom
  const across = (z) => left + ((z - item.x_range[0]) / (item.x_range[1] - item.x_range[0])) * width
  const up = (g) => top + height - 8 - ((g - item.y_range[0]) / (item.y_range[1] - item.y_range[0])) * (height - 16)
  return { left, top, width, height, across, up }
}

// Where the dots of a curve are: those beyond the axes at their edge.
function spots({ across, up }, { numbers, x_range, y_range }) {
  const within = (value, [low, high]) => Math.min(high, Math.max(low, value))
  return Array.from({ length: numbers.length / 2 }, (_, unit) => [
    across(within(numbers[2 * unit], x_range)),
    up(within(numbers[2 * unit + 1], y_range)),
  ])
}

function drawCurve(picture, ink, item) {
  const { context, look, use } = ink
  const frame = axes(ink, item)
  const { left, top, width, height, across, up } = frame

  if (item.bounds) {
    context.fillStyle = item.shade
    context.globalAlpha = 0.18
    context.fillRect(left, top, across(item.bounds[0]) - left, height)
    context.fillRect(across(item.bounds[1]), top, left + width - across(item.bounds[1]), height)
  }
  context.globalAlpha = 0.15
  context.strokeStyle = context.fillStyle = look.text
  context.lineWidth = 1
  context.beginPath()
  for (const z of item.x_ticks) context.rect(across(z), top, 0, height)
  for (const g of item.y_ticks) context.rect(left, up(g), width, 0)
  context.stroke()
  context.globalAlpha = 0.8
  use(SMALL.font)
  context.textAlign = "center"
  for (const z of item.x_ticks) context.fillText(number(z, 1), across(z), top + height + 14)
  context.fillText(item.x_label, left + width / 2, top + height + 28)
  context.textAlign = "right"
  for (const g of item.y_ticks) context.fillText(number(g, 2), left - 5, up(g) + 4)
  context.globalAlpha = 1

  let legend = left
  for (const { label, colour, points, dash } of item.lines) {
    context.save()
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    context.strokeStyle = colour
    context.lineWidth = 2
    context.setLineDash(dash)
    context.beginPath()
    points.forEach((g, index) => context.lineTo(left + (index / Math.max(1, points.length - 1)) * width, up(g)))
    if (points.length === 1) context.arc(left + 4, up(points[0]), 2, 0, 2 * Math.PI)
    context.stroke()
    context.restore()
    if (!label) continue
    context.strokeStyle = colour
    context.lineWidth = 2
    context.setLineDash(dash)
    context.beginPath()
    context.moveTo(legend, item.y - 9)
    context.lineTo(legend + 22, item.y - 9)
    context.stroke()
    drawName(ink, label, legend + 27, item.y - 5)
    legend += 27 + nameWidth(ink, label) + 16
  }
  context.setLineDash([])
  if (item.y_label) {
    use(SMALL.font)
    context.fillStyle = look.text
    context.fillText(item.y_label, legend, item.y - 5)
  }

  const places = spots(frame, item)
  context.strokeStyle = look.paper
  const units = [...places.keys()].filter((unit) => unit !== picture.unit)
  for (const unit of [...units, picture.unit].filter((unit) => places[unit])) {
    const [x, y] = places[unit]
    const radius = unit === picture.unit ? 7 : 5
    const [z, g] = [item.numbers[2 * unit], item.numbers[2 * unit + 1]]
    const beyond = Math.sign(z) * (Math.abs(z) > item.x_range[1] || g > item.y_range[1] ? 1 : 0)
    context.fillStyle = unit === picture.unit ? look.accent : item.colour
    context.lineWidth = 1
    context.beginPath()
    if (!beyond) context.arc(x, y, radius, 0, 2 * Math.PI)
    else {
      context.moveTo(x + beyond * 2, y)
      context.lineTo(x - beyond * 2 * radius, y - radius)
      context.lineTo(x - beyond * 2 * radius, y + radius)
      context.closePath()
    }
    context.fill()
    context.stroke()
  }
}

function drawLegends(picture, ink, legends, top) {
  const { context, look, use } = ink
  use(SMALL.font)
  context.textAlign = "left"
  for (const { x, line, text, palette, high } of legends) {
    const y = top + line * LEGEND.height + 6
    const table = colours(picture, palette, look)
    const bar = x + ink.width(text, SMALL.font) + 5
    for (let step = 0; step < 32; step++) {
      context.fillStyle = table[step * 8].css
      context.fillRect(bar + step * 2, y, 2, 10)
    }
    context.fillStyle = look.text
    context.fillText(text, x, y + 9)
    context.fillText(high, bar + LEGEND.bar + 5, y + 9)
  }
}

// What each colour scale stands for, side by side as far as the width reaches.
function placeLegends(ink, legends) {
  let [x, line] = [0, 0]
  return legends.map(({ label, palette, low, high }) => {
    const text = `${label}: ${low}`
    const width = ink.width(text, SMALL.font) + LEGEND.bar + 10 + ink.width(high, SMALL.font)
    if (x && x + width > ink.limit) [x, line] = [0, line + 1]
    const start = x
    x += width + 18
    return { x: start, line, text, palette, high }
  })
}

// ---- pointing ------------------------------------------------------------------------------

function pointAt(picture, section, { clientX, clientY }) {
  const { drawing } = section
  const frame = drawing.getBoundingClientRect()
  const [x, y] = [clientX - frame.left, clientY - frame.top]
  const found = blockAt(section, x, y) ?? dotAt(section, x, y)
  if (found) section.at = { ...found, index: targets(section).indexOf(found.block) }
  drawing.style.cursor = found?.block.units || found?.block.over_time ? "pointer" : "default"
  picture.cursor.remove()
  point(picture, section, found, { left: clientX + 14, top: clientY - 12, bottom: clientY + 18 })
}

function point(picture, section, found, { left, top, bottom }) {
  const before = picture.pointed
  const page = picture.host.getBoundingClientRect()
  const place = { left: left - page.left, top: top - page.top, bottom: bottom - page.top }
  picture.pointed = found && { ...found, section, place }
  picture.tip.hidden = !found
  if (found) showTip(picture)
  if (before?.block !== found?.block || before?.row !== found?.row) repaint(picture)
}

// The tip stands below its place, or above it where the window ends.
function showTip({ tip, host, width, pointed }) {
  const { place } = pointed
  put(tip, describe(pointed))
  tip.style.left = 0 // or its width is what was left of the last place
  const left = Math.min(place.left, width - tip.offsetWidth)
  const above = host.getBoundingClientRect().top + place.bottom + tip.offsetHeight > innerHeight
  const top = above ? place.top - tip.offsetHeight : place.bottom
  Object.assign(tip.style, { left: `${Math.max(0, left)}px`, top: `${top}px` })
}

// After a draw the tip tells of the new numbers of its place. If the place has moved or is gone, so is the tip.
function pointAgain(picture) {
  const { section, block: before, row, column } = picture.pointed ?? {}
  if (!section) return
  const parts = picture.sections.includes(section) ? targets(section) : []
  if (parts.length && section.drawing.contains(picture.cursor)) {
    moveCursor(picture, section, STAY)
    return pointAtCursor(picture, section)
  }
  const block = parts[section.at.index]
  const stays =
    block &&
    before.symbol === block.symbol &&
    before.curve === block.curve &&
    row < sizeOf(block).rows &&
    column < sizeOf(block).columns &&
    JSON.stringify(placeOf(section.ink, before, row, column)) === JSON.stringify(placeOf(section.ink, block, row, column))
  if (!stays) return leave(picture)
  picture.pointed.block = block
  showTip(picture)
}

function blockAt({ panel }, x, y) {
  for (const block of blocksOf(panel)) {
    const [row, column] = [Math.floor((y - block.y) / block.down), Math.floor((x - block.x) / block.across)]
    if (row >= 0 && row < block.rows && column >= 0 && column < block.columns) return { block, row, column }
  }
  return null
}

function dotAt({ panel, ink }, x, y) {
  for (const block of partsOf(panel).filter((item) => item.curve)) {
    const row = spots(axes(ink, block), block).findIndex(([left, top]) => Math.hypot(x - left, y - top) < 10)
    if (row >= 0) return { block, row, column: 0 }
  }
  return null
}

function pick(picture) {
  const { block, row, column } = picture.pointed ?? {}
  if (block?.over_time) {
    scrubTo(picture, block.column_edges[column])
    reportStep(picture)
  } else if (block?.units) picture.inspect(block.row_edges[row] + 1)
}

function leave(picture) {
  if (!picture.pointed) return
  hide(picture)
  repaint(picture)
}

function hide(picture) {
  picture.tip.hidden = true
  picture.pointed = null
  picture.cursor.remove()
}

// ---- the same with the keys ----------------------------------------------------------------

const STAY = [0, 0]
const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

function press(picture, section, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  if (event.key === "Escape") leave(picture)
  else if (event.key === "Enter" || event.key === " ") {
    pick(picture)
    walk(picture, section)
  } else if (MOVES[event.key]) walk(picture, section, MOVES[event.key])
  else return
  event.preventDefault()
}

// What there is to point at, in the order of reading.
function targets({ panel }) {
  return partsOf(panel).filter((part) => part.rows || (part.curve && part.numbers.length))
}

// Dots stand one below the other.
function sizeOf(part) {
  return part.curve ? { rows: part.numbers.length / 2, columns: 1 } : part
}

// Sideways beyond a matrix is the next one. The numbers may be others, and fewer, than at the last key.
function moved(parts, at, [down, across]) {
  const within = (value, size) => Math.max(0, Math.min(size - 1, value))
  let [index, column] = [within(at.index, parts.length), at.column + across]
  if (column === -1 && index > 0) [index, column] = [index - 1, Infinity]
  else if (column === sizeOf(parts[index]).columns && index < parts.length - 1) [index, column] = [index + 1, 0]
  const { rows, columns } = sizeOf(parts[index])
  return { index, row: within(at.row + down, rows), column: within(column, columns) }
}

function walk(picture, section, move = STAY) {
  moveCursor(picture, section, move)
  picture.cursor.scrollIntoView({ block: "nearest" })
  pointAtCursor(picture, section)
}

function moveCursor({ cursor }, section, move) {
  const parts = targets(section)
  section.at = moved(parts, section.at, move)
  const { index, row, column } = section.at
  const place = placeOf(section.ink, parts[index], row, column)
  for (const [side, pixels] of Object.entries(place)) cursor.style[side] = `${pixels}px`
  section.drawing.append(cursor)
}

function pointAtCursor(picture, section) {
  const { index, row, column } = section.at
  const { left, top, bottom } = picture.cursor.getBoundingClientRect()
  point(picture, section, { block: targets(section)[index], row, column }, { left, top: top - 8, bottom: bottom + 2 })
}

// Where a cell or a dot is in its drawing.
function placeOf(ink, block, row, column) {
  if (block.rows) {
    const { x, y, across, down } = block
    return { left: x + column * across, top: y + row * down, width: across, height: down }
  }
  const [x, y] = spots(axes(ink, block), block)[row]
  return { left: x - 9, top: y - 9, width: 18, height: 18 }
}
