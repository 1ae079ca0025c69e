// The types of the JavaScript. First what Python sends, under the names that Python gives it; then what the modules share.

// ---- the URL: dashboard/state/session.py ----

/** New texts of query parameters; null removes one. */
export type Changes = Record<string, string | null>

/** The URL that a run has read. */
export interface Run {
  /** Its number in the session. */
  number: number
  page: string
  query: [name: string, text: string][]
  /** Its worked example, whose defaults the controls of the run have. */
  example: string
  /** The example of each page's bare URL, by the path of the page. */
  examples: Record<string, string>
  /** These examples, but not the one of the pages without an example of their own. */
  first: string[]
  /** The parameters that leave a URL bare. */
  opening: string[]
  /** The path of the app. */
  root: string
}

export interface Patch {
  number: number
  changes: Changes
  entry: boolean
}

export interface Patches {
  session: string
  patches: Patch[]
}

/** A click that the server answers with a patch, and the URL at the click. */
export interface NumberedAction {
  session: string
  number: number
  path: string
  query: string[][]
}

// ---- the controls: dashboard/controls/widgets.py and sidebar.py ----

interface AnyControl {
  name: string
  label: string
  help?: string | null
  text: string
  default: string
  /** The settings that a change of this one removes from the URL. */
  clears?: string[]
}

interface Bounds {
  smallest: number
  largest: number
  whole: boolean
  /** Why the largest value is no larger, if another setting limits it. */
  limit?: string
}

export interface SliderControl extends AnyControl, Bounds {
  kind: "slider"
  low: number
  high: number
  step: number
  /** The texts of the positions, if they are not evenly spaced. */
  options: string[] | null
}

export interface NumberControl extends AnyControl, Bounds {
  kind: "number"
  /** Whether the field may be empty. */
  optional: boolean
  placeholder?: string
  disabled?: boolean
  options?: null
}

export interface Option {
  value: string
  label: string
  /** Further changes that the option makes, or in a list the only ones. */
  patch?: Changes
}

export interface SelectControl extends AnyControl {
  kind: "select"
  options: Option[]
}

export interface SegmentsControl extends AnyControl {
  kind: "segments"
  options: Option[]
  /** Whether the label is hidden. */
  bare?: boolean
  /** Whether the options stand apart, because each is a sentence. */
  cards?: boolean
}

export interface ToggleControl extends AnyControl {
  kind: "toggle"
  disabled?: boolean
}

export interface TextControl extends AnyControl {
  kind: "text"
  longest: number
  /** The regular expression that it follows, and the rule in words. */
  pattern?: string
  rule?: string
  /** The setting that a longer text raises, if the page has its slider. */
  fits?: string
}

export interface ActionControl extends AnyControl {
  kind: "action"
  patch: Changes
  /** The settings that `compare` freezes beside the worked example. */
  freeze?: string[]
  disabled?: boolean
  shortcut?: string
  /** Whether its panel is open. */
  pressed?: boolean
  /** False if it adds no history entry. */
  entry?: boolean
}

export interface NoteControl extends AnyControl {
  kind: "note"
}

export type Control =
  | SliderControl
  | NumberControl
  | SelectControl
  | SegmentsControl
  | ToggleControl
  | TextControl
  | ActionControl
  | NoteControl

export interface ControlGroup {
  /** The heading that opens it, or empty. */
  title: string
  /** Whether the group is closed only on phones and where `is_folded`, with the values after the heading. */
  is_for_phones: boolean
  is_folded: boolean
  controls: Control[]
}

export interface PageLink {
  title: string
  path: string
}

export interface PageGroup {
  title: string
  links: PageLink[]
}

/** Shows the pending value of a setting, and returns true, if the picture has come with it. */
export type Moved = (name: string, text: string | null) => boolean

/** Why a field takes another number than the typed one. */
export type Correction = "number" | "whole" | "smallest" | "largest" | "nearest" | "shape"

export interface ControlsData {
  url: Run
  groups: ControlGroup[]
  corrections: Record<Correction, string>
}

export interface SidebarData extends ControlsData {
  pages: PageGroup[]
  changed: Patches
  /** The parameters that a link to a page drops. */
  screen: string[]
  /** The parameters with which every page opens on the same example. */
  numbers: string[]
}

// ---- the arrays of this tab: dashboard/controls/storage.py ----

export interface StorageData {
  /** New arrays in base64, by digest. */
  texts: Record<string, string>
  /** The digests that the session has. */
  here: string[]
  /** The digests that it asks for. */
  wanted: string[]
  /** Changes with each run, so that it asks again. */
  asked: number
}

// ---- progress in practice: dashboard/controls/progress.py ----

/** The data that the browser sends. */
export interface Held {
  /** The stored progress as JSON. */
  text: string
  today: string
  /** Whether the browser stores it. */
  isKept: boolean
  /** The number of the last applied entry. */
  applied: number
}

export interface PracticeLink {
  label: string
  /** The accessible name, if the label is not enough. */
  name: string
  changes: Changes
  /** Parts of the progress that a click stores. */
  keep: Record<string, unknown>
}

export interface ProgressChart {
  /** `chosen` says why the page has chosen the exercises that are left, a sentence for each reason. */
  today: { label: string; done: number; of: number; links: PracticeLink[]; chosen: string[] }
  test: { label: string; links: PracticeLink[] }
  levels: string[]
  kinds: { label: string; tiles: { filled: number; of: number; link: PracticeLink }[] }[]
  /** The label of the button, before and after the first click; null if there is no progress. */
  forget: { label: string; again: string } | null
}

export interface ProgressData {
  session: string
  entries: { number: number; changes: Record<string, unknown> }[]
  /** The data that the server has received last. */
  seen: Held | null
  chart: ProgressChart | null
  exercise: string
  /** The selector of the first field; empty if there is none. */
  field: string
}

// ---- a picture: dashboard/drawing/panels.py and items.py ----

export interface Scale {
  label: string
  palette: string
  low: number
  high: number
  clips: boolean
}

/** A part of an axis: what an entry is called, how many there are, and the label of the part. */
export interface AxisPart {
  name: string
  size: number
  label: string
}

export interface Op {
  kind: "op"
  symbol: string
  align: boolean
}

/** Numbers are given by their place in `packed`. */
export interface SentBlock {
  kind: "block"
  symbol: string
  shape: string
  mean: string | null
  rows: number
  columns: number
  values: number
  frames: number | null
  outlined: number | null
  single: boolean
  single_frames: boolean
  nothing: string
  over_time: boolean
  scale: Scale
  /** For a vector whose parts are several quantities: the scale of each. */
  part_scales: Scale[]
  row_parts: AxisPart[]
  column_parts: AxisPart[] | null
  headings: string[] | null
  row_headings: string[] | null
  /** The titles of the rows and of the columns. */
  axes: [string, string] | null
  row_edges: number[]
  column_edges: number[]
  units: boolean
  hover: string[] | null
  product: string[]
  /** How many decimals it has beyond those of the page. */
  more_decimals?: number
  /** The name in tooltips, if it is not the symbol. */
  /** The colour of its name. */
  colour: Hue | null
  tooltip_name: string
  /** The step that A of a comparison stays at. */
  still?: number
}

/** A block by its place in `blocks`. */
export interface BlockReference {
  kind: "block"
  index: number
}

export interface BoxPart {
  name: string
  size: number | null
  meets: boolean
  /** Its role: "h", "x", "below", "output" or nothing. */
  kind: string
}

export interface Box {
  kind: "box"
  symbol: string
  shape: string
  rows: BoxPart[]
  columns: BoxPart[]
  largest: number
}

/** Numbers are base64 of float32. */
export interface SentLine {
  label: string
  colour: Hue
  dash: number[]
  values: string
  places: string | null
}

export type Range = [low: number, high: number]

interface Axes {
  x_range: Range
  y_range: Range
  x_ticks: number[]
  y_ticks: number[]
  x_label: string
  y_label: string
}

interface AnyCurve extends Axes {
  kind: "curve"
  symbol: string
  colour: Hue
  bounds: Range
  shade: string
  /** The largest width in pixels; null for the width of the panel. */
  widest: number | null
  /** How many curves its row has. */
  in_row: number
  /** How many of them share a line elsewhere, if there is room. */
  beside: number
  /** Whether its dots are two quantities of a unit, and lie on no function. */
  is_scatter: boolean
}

/** The units of another cell on a curve: z and g(z) of one after the other, at each step. */
export interface SentRings {
  colour: Hue
  units: number
  frames: string
}

export interface SentCurve extends AnyCurve {
  rings: SentRings[]
  lines: SentLine[]
  /** z and g(z) of one unit after the other. */
  dots: string
  frames: string | null
}

interface AnyChart extends Axes {
  kind: "chart"
  /** Whether the key of the picture names the lines. */
  keyed: boolean
}

export interface SentChart extends AnyChart {
  lines: SentLine[]
  steps: string | null
}

export interface SentColumn {
  kind: "column"
  parts: SentItem[]
}

/** A colour of the light scheme and of the dark one. */
export interface Hue {
  light: string
  dark: string
}

/** A node about its middle. `part` is the index of its matrix among the parts of the diagram, and `stage` counts from 0. */
interface AnyNode {
  x: number
  y: number
  stage: number
}

export interface VectorNode extends AnyNode {
  kind: "vector"
  part: number
  side: "above" | "below" | "left" | "right"
  tall: number
}

export interface OperatorNode extends AnyNode {
  kind: "operator"
  symbol: string
}

/** `part` and `z` are g(z) and z of each unit. */
export interface SentGate extends AnyNode {
  kind: "gate"
  name: string
  label: string
  role: string
  colour: Hue | null
  part: number
  z: number
  curve: string
  range: Range
  bounds: Range
  words: string
}

export interface Wire {
  part: number
  points: [x: number, y: number][]
  stage: number
  arrow: boolean
  colour: Hue | null
  /** Whether it is as wide as the mean of its numbers. */
  gate: boolean
  /** Whether it carries 1 minus its numbers. */
  rest: boolean
}

/** Where a level wire crosses an upright one, by their indices, in the diagram's own pixels. */
export interface Crossing extends Point {
  level: number
  upright: number
}

interface AnyDiagram {
  kind: "diagram"
  width: number
  height: number
  frame: [left: number, top: number, right: number, bottom: number]
  /** The height of the wire along which the memory passes. */
  lane: number | null
  wires: Wire[]
  /** Whether the steps of the playback slider are the stages. */
  staged: boolean
  /** Whether it shows gradients, which go from the ends of the wires to their starts. */
  backward: boolean
  /** The name of the gate whose equation is shown. */
  opened: string
}

export interface SentDiagram extends AnyDiagram {
  parts: BlockReference[]
  nodes: (VectorNode | OperatorNode | SentGate)[]
}

/** A row of compact cells, one for each step. */
interface AnyChain {
  kind: "chain"
  symbol: string
  second: string
  /** A text at the end of a wire that goes backward. */
  end: string
  words: string[]
  labels: string[]
  letters: string[] | null
  colour: Hue | null
  backward: boolean
  numbered: boolean
  over_time: boolean
  /** The step that A of a comparison stays at. */
  still?: number
}

export interface SentChain extends AnyChain {
  through: string | null
}

export type SentItem = Op | Box | BlockReference | SentCurve | SentChart | SentColumn | SentDiagram | SentChain

/** One position of a playback slider. */
export interface PlaybackStep {
  label: string
  title: string
  note: string
  /** Empty for that of the panel. */
  callout: string
  /** The text of the setting; null if it is not in the URL. */
  value: string | null
}

export interface Playback {
  label: string
  steps: PlaybackStep[]
  /** The step unless the setting has the value of another one. */
  start: number
  /** The query parameter that the step follows; empty if there is none. */
  setting: string
  has_slider: boolean
  /** Whether no picture is needed while the step moves. */
  whole: boolean
  pace: number[] | null
}

export interface HeatmapSize {
  axis: "rows" | "columns"
  pixels: number
  smallest: number
}

export interface Legend {
  label: string
  palette: string
  low: string
  high: string
}

/** A button at a drawing, or the switch of a setting. */
export interface Action {
  label: string
  help: string
  setting: string
  is_on: boolean
}

/** A line in the key of a picture. */
export interface Named {
  label: string
  colour: Hue
  /** The text that a click gives the setting of its key; null for no click. */
  choice: string | null
  is_chosen: boolean
}

/** Names for the lines of the keyed charts of a picture. */
export interface Key {
  label: string
  lines: Named[]
  setting: string
}

/** The room of a panel on a board. */
export interface Tile {
  columns: number
  rows: number
  /** Whether the title is not seen. */
  bare: boolean
}

/** A sentence with the panel that proves it, and the change to try. */
export interface FindingLine {
  text: string
  /** The title of a panel. */
  proof: string
  /** The changes of the URL by a click on the link, after which the panel shows the subject of the sentence. */
  changes: Record<string, string | null>
  setting: string
  /** The text that a click gives the setting; null removes it. */
  choice: string | null
  /** Empty for no button. */
  label: string
  is_chosen: boolean
}

export interface Panel {
  title: string
  text: string
  rows: SentItem[][]
  alt: string
  /** The sentence that matters most. */
  callout: string
  code: string[]
  note: string
  exactly: string
  /** Whether only its title is shown until the reader opens it. */
  folded: boolean
  actions: Action[]
  side: "" | "A" | "B"
  playback: Playback | null
  fit: HeatmapSize | null
  keys: Key[]
  findings: FindingLine[]
  tile: Tile | null
  legends: Legend[]
}

export type Palette = Record<"light" | "dark", string[]>

export interface PictureData {
  remarks: string[]
  panels: Panel[]
  blocks: SentBlock[]
  /** The numbers of the blocks in base64. */
  packed: string[]
  palettes: Record<string, Palette>
  decimals: number
  unit: number
}

export interface Stage {
  name: string
  panel: string
}

/** All that `screen.show` sends. */
export interface PictureMessage {
  url: Run | null
  picture: PictureData
  panel: string | null
  stage: Stage | null
  unit: { name: string; default: string }
  projected: boolean
  live?: string
  /** The notice while `live` cannot be reached. */
  no_channel?: string
}

// ---- components ----

/** The argument that Streamlit passes to a component. */
export interface Component<Data> {
  parentElement: HTMLElement
  data: Data
  setTriggerValue(name: string, value: unknown): void
  setStateValue(name: string, value: unknown): void
}

// ---- numbers and items with their numbers ----

export type Numbers = Float32Array | Float64Array

/** Numbers that may have another value at each step of the playback slider. */
export interface Stepped {
  numbers: Numbers
  frames: Numbers | null
}

export interface Block extends Omit<SentBlock, "values" | "frames" | "outlined">, Stepped {
  outlined: Numbers | null
  /** The block of A that it is compared with. */
  against?: Block
  /** Whether A has one of this name, but of another shape. */
  reshaped?: boolean
}

export interface Line extends Omit<SentLine, "values" | "places"> {
  points: Numbers
  places: Numbers | null
}

export interface Rings extends Omit<SentRings, "frames"> {
  frames: Numbers
}

export interface Curve extends AnyCurve, Stepped {
  rings: Rings[]
  lines: Line[]
}

export interface Chart extends AnyChart {
  lines: Line[]
  steps: Numbers | null
}

export interface Column {
  kind: "column"
  parts: Item[]
}

export interface Gate extends Omit<SentGate, "curve"> {
  curve: Numbers
}

export interface Diagram extends AnyDiagram {
  symbol: string
  parts: Block[]
  nodes: (VectorNode | OperatorNode | Gate)[]
}

export interface Chain extends AnyChain {
  through: Numbers | null
}

/** The parts of a drawing. */
export type Part = Op | Block | Box | Curve | Chart | Diagram | Chain
export type Item = Part | Column
export type Rows = Item[][]

// ---- the layout ----

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** An item with where it is drawn, in pixels of its drawing. */
export interface PlaceOf<P extends Part> extends Point {
  item: P
}

/** How numbers fit into the cells of a matrix. */
export interface Print {
  font: number
  decimals: number
  /** The decimals of powers of ten. */
  mantissa: number
  /** Whether what rounds to zero is printed as 0.00 and not with a power of ten. */
  hasZeros: boolean
  /** Whether 0.96 is printed as .96. */
  short: boolean
  /** Whether a number with a digit other than 0 before the point has one decimal fewer. */
  tight: boolean
}

/** The sides of an entry and of the whole matrix. */
export interface Extent extends Size {
  across: number
  down: number
}

export interface BlockPlace extends PlaceOf<Block>, Extent {
  cell: number
  print?: Print | null
  /** The texts in the cells. */
  printed?: string[]
  /** Whether its name and its shape are drawn elsewhere. */
  bare?: boolean
  /** The first step of the playback slider at which it is drawn. */
  from?: number
}

export interface BoxPlace extends PlaceOf<Box>, Size {
  widths: number[]
  heights: number[]
}

export interface DiagramPlace extends PlaceOf<Diagram>, Size {
  /** How many pixels one of the diagram's own is, sideways and downwards. */
  zoom: number
  rise: number
}

export interface PlotPlace<P extends Curve | Chart = Curve | Chart> extends PlaceOf<P>, Size {
  named: NamedLine[]
}

/** The row of a line's name above the axes, and its start there. */
export interface NamedLine {
  line: Line
  row: number
  x: number
}

export interface ChainPlace extends PlaceOf<Chain> {
  /** The width of a cell with the gap after it. */
  pitch: number
}

/** Where an entry can be pointed at. */
export type Target = BlockPlace | PlotPlace<Curve> | DiagramPlace | ChainPlace
export type Place = PlaceOf<Op> | BoxPlace | BlockPlace | PlotPlace | DiagramPlace | ChainPlace

/** The body of an item: its corner, the side of a cell, and how far below y the middle of the shortest item of its row is. */
export interface Where extends Point {
  cell: number
  middle: number
}

export interface Grid {
  rows: number
  columns: number
}

/** Counted from 0. */
export interface Entry {
  row: number
  column: number
}

export interface TargetEntry extends Entry {
  /** The index of the target. */
  index: number
}

/** A rectangle in pixels of a drawing. */
export interface Spot extends Size {
  left: number
  top: number
}

/** Where the cells and the lines of a panel's rows are. */
export interface Plan {
  cell: number
  rows: Rows
  /** Where the aligned items of a row start at the least. */
  from: number[]
}

export interface KeyedPlan extends Plan {
  /** All that the plan follows from. */
  key: string
}

export interface PlacedLegend {
  x: number
  line: number
  text: string
  palette: string
  low: string
  high: string
  key: { x: number; line: number }
}

/** A line below a drawing, if there is anything to say. */
export interface Note {
  x: number
  line: number
  text: string
}

/** The content of a canvas: a row of a panel, or its legends. */
export interface StripLayout {
  top: number
  height: number
  places: Place[]
  legends: PlacedLegend[]
  note: Note | null
}

/** A canvas for a row of a panel. */
export interface Strip extends StripLayout {
  canvas: HTMLCanvasElement
  context: CanvasRenderingContext2D
  /** Whether it is out of sight. */
  hidden: boolean
  /** Whether it has to be painted when it comes into sight. */
  stale: boolean
}

// ---- the kinds of items ----

/** The functions of each kind of item. */
export interface ItemKind<I extends Item = Item, S = SentItem> {
  /** The item with its numbers. */
  unpack(item: S, blocks: Block[]): I
  /** Itself, or what it is made of: a column has no place, but its parts have. */
  parts(item: I): Part[]
  /** The values that its size follows from. */
  follows(item: I): unknown[]
  /** Its width and height, with cells of that side. */
  size(ink: Ink, item: I, cell: number): Size
  /** How much of its height is above its body. */
  head(item: I, ink: Ink): number
  /** How many cells its body is tall. */
  rows(item: I): number
  place(ink: Ink, item: I, where: Where): Place[]
}

export interface PartKind<P extends Part = Part, S = SentItem, W extends Place = Place> extends ItemKind<P, S> {
  draw(picture: Painted, ink: Brush, place: W): void
  /** Whether it looks different at another step of the playback slider. */
  moves(item: P): boolean
  /** How many rows and columns there are to point at. */
  grid(item: P): Grid
}

/** A kind with entries to point at. */
export interface TargetKind<
  P extends Block | Curve | Diagram | Chain = Block | Curve | Diagram | Chain,
  S = SentItem,
  W extends Target = Target,
> extends PartKind<P, S, W> {
  /** The row and column at a point of its drawing, if there is one. */
  at(place: W, left: number, top: number, step: number): Entry | null
  /** Where they are. */
  spot(place: W, row: number, column: number, step: number): Spot
  /** The text of the tooltip; with all digits unless `decimals` is given. */
  describe(item: P, row: number, column: number, step: number, decimals?: number | null): string
}

/** The kind of an item, as far as the type of the item tells. */
export type KindOf<I extends { kind: string }> = I["kind"] extends "block" | "curve" | "diagram" | "chain"
  ? TargetKind
  : "column" extends I["kind"]
    ? ItemKind
    : PartKind

// ---- drawing ----

/** The colours and the font of the page. */
export interface Look {
  dark: boolean
  text: string
  accent: string
  outline: string
  paper: string
  font: string
}

/** The sizes of a name and of its subscripts. */
export interface NameSizes {
  font: number
  low: number
}

/** The data for the layout of a drawing. */
export interface Ink {
  look: Look
  /** The width of the drawing, in its own pixels. */
  limit: number
  /** The largest side of a cell. */
  largest: number
  /** The largest height of a diagram or a plot, in the projector view. */
  tall: number
  /** Measured widths of texts. */
  widths: Map<string, number>
  /** How many pixels of the page each of its own is. */
  zoom: number
  /** Whether the drawing is a file, on paper or on a phone, without the key of its picture in sight. */
  alone: boolean
  width(text: string, size: number, isVariable?: boolean): number
}

/** The calls of a canvas that the drawings make; a file in SVG takes them too. */
export type Context = Pick<
  CanvasRenderingContext2D,
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "fillRect"
  | "strokeRect"
  | "fillText"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "rect"
  | "closePath"
  | "setLineDash"
  | "translate"
  | "rotate"
  | "save"
  | "restore"
> & {
  fillStyle: string | CanvasGradient | CanvasPattern
  strokeStyle: string | CanvasGradient | CanvasPattern
  arc(x: number, y: number, radius: number, start: number, end: number): void
  stroke(): void
  fill(): void
  clip(): void
  imageSmoothingEnabled?: boolean
  drawImage(canvas: HTMLCanvasElement, x: number, y: number, width: number, height: number): void
}

/** The data for painting a drawing. */
export interface Brush extends Ink {
  context: Context
}

export interface Colour {
  rgb: number[]
  css: string
  /** The colour of a number printed on it. */
  number: string
}

// ---- the state of a picture ----

/** The entry under the pointer or the focus. */
export interface Pointed extends Entry {
  section: Section
  place: Target
  spot: Spot
  /** Beside the pointer, in pixels of the page from the corner of the picture. */
  where: Anchor
}

/** Where a tooltip stands: below the bottom, or above the top. */
export interface Anchor {
  left: number
  top: number
  bottom: number
}

/** The part of the picture that its items need. */
export interface Painted {
  data: PictureData
  /** The step of the playback slider. */
  step: number
  pointed: (Entry & { place: Place }) | null
}

/** An animation over a drawing. */
export interface Motion {
  element: HTMLElement
  /** Where it ends, in pixels of the page from the top of its drawing. */
  bottom: number
}

/** A panel on the page. */
export interface Section {
  panel: Panel
  rows: Rows
  element: HTMLElement
  title: HTMLElement
  /** The title of a folded panel, which opens it. */
  fold: HTMLButtonElement
  callout: HTMLElement
  text: HTMLElement
  note: HTMLElement
  /** The words for experts, and the element that folds them. */
  exactly: HTMLElement
  details: HTMLElement
  code: HTMLElement
  differences: HTMLElement
  actions: HTMLElement
  save: HTMLElement
  drawing: HTMLElement
  player: Player
  /** Below the playback slider. */
  keys: HTMLElement
  findings: HTMLElement
  strips: Strip[]
  /** The entries that show a tooltip. */
  targets: Target[]
  /** The target from which the arrow keys go on. */
  at: TargetEntry
  ink: Ink
  plan: KeyedPlan | null
  /** The plan of the drawing with the words beside it. */
  narrow: KeyedPlan | null
  /** The plan of the equation beside a diagram. */
  equation: KeyedPlan | null
  /** Where the title ends, measured for an equation. */
  measured: { key: string; end: number }
  /** So many times as large it is at most in the projector view. */
  most: number
  /** Whether its rows stand side by side in pairs there. */
  isPaired: boolean
  /** Whether the drawing stands beside its words on the first screen of the projector view. */
  isFirst: boolean
  words: HTMLElement
}

/** The playback slider of a panel. */
export interface Player {
  element: HTMLElement
  play: HTMLButtonElement
  speed: HTMLButtonElement
  slider: HTMLInputElement
  output: HTMLElement
  /** How many times as fast as usual. */
  times: number
  /** The timer of the next step, while it plays. */
  playing: number | null
  /** The playback that it followed last. */
  playback: Playback | null
}

/** The picture of a page, or one of several. */
export interface Picture extends Painted {
  host: HTMLElement
  /** The path of its page; undefined for a picture that is the same on every page. */
  page: string | undefined
  remarks: HTMLElement
  notice: HTMLElement
  contents: HTMLElement
  tip: HTMLElement
  cursor: HTMLElement
  sections: Section[]
  pointed: Pointed | null
  /** Whether the tooltip shows all digits. */
  isExact: boolean
  motion: Motion | null
  look: Look
  /** In pixels of the page. */
  width: number
  widths: Map<string, number>
  isPrinted: boolean
  isProjected: boolean
  /** The folded panels that are open, by the # of their links. */
  opened: Set<string>
  /** The titles in the line of links. */
  listed: string | null
  /** Whether it has scrolled to the panel that the URL names. */
  isLanded: boolean
  /** The number of the question, and the start of the title of the framed panel. */
  framed: string | null
  /** The panel that the last link of a finding led to, and the query of the URL since then. */
  proof: { title: string, search: string } | null
  /** The last stage that the page showed. */
  stage: string | undefined
  resize: ResizeObserver
  sight: IntersectionObserver
  scrolled(): void
  show(data: PictureData): void
  refused(isRefused: boolean): void
  moved: Moved
  /** Selects unit j, counted from 1. */
  inspect(j: number): void
  /** Shows the equation of a gate, or hides it. */
  open(name: string): void
  /** Changes several settings at once. */
  change(changes: Record<string, string | null>): void
  /** Writes a setting to the URL, or removes it. */
  set(name: string, text: string | null): void
  /** Tells the server of a click on the button of a drawing. */
  next(): void
}

// ---- the state of the controls ----

/** Updates the element of a control, except a field in which the reader is typing. */
export type Show = () => void

/** A control on the page. */
export interface DrawnControl<C extends Control = Control> {
  name: string
  given: C
  /** The worked example that its default belongs to. */
  example: string
  element: HTMLElement
  /** The value that it shows. */
  text: string
  /** Whether the reader is typing in its field. */
  isTyped: boolean
  show: Show
  /** Shows a value. */
  set(text: string): void
}

/** Fills the element of a control. As a method, because each kind takes its own controls. */
export type Maker = { make(control: DrawnControl): Show }["make"]

export interface Links {
  nav: HTMLElement
  data: SidebarData
  pages: PageLink[]
}
