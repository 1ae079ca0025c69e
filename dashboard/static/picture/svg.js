// Takes the calls that are made on a canvas, as far as our drawings make them, and writes them down as SVG.

const escaped = (text) => String(text).replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const rounded = (number) => Math.round(number * 100) / 100

export class SvgContext {
  fillStyle = "#000"
  strokeStyle = "#000"
  lineWidth = 1
  globalAlpha = 1
  font = "10px sans-serif"
  textAlign = "start"
  dash = []
  groups = 0 // that are open, one for each clip
  saved = []
  parts = []
  path = ""
  clips = 0

  constructor(width, height) {
    Object.assign(this, { width, height })
  }

  toString() {
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${this.parts.join("\n")}\n</svg>\n`
  }

  add(tag, attributes, content = "") {
    const all = { ...attributes, opacity: this.globalAlpha === 1 ? undefined : this.globalAlpha }
    const written = Object.entries(all).filter(([, value]) => value !== undefined)
    const shown = written.map(([name, value]) => ` ${name}="${typeof value === "number" ? rounded(value) : escaped(value)}"`)
    this.parts.push(`<${tag}${shown.join("")}>${content}</${tag}>`)
  }

  get outline() {
    const dashes = this.dash.length ? this.dash.join(" ") : undefined
    return { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-dasharray": dashes }
  }

  fillRect(x, y, width, height) {
    if (this.fillStyle !== "transparent") this.add("rect", { x, y, width, height, fill: this.fillStyle })
  }

  strokeRect(x, y, width, height) {
    this.add("rect", { x, y, width, height, ...this.outline })
  }

  fillText(text, x, y) {
    const anchor = { center: "middle", right: "end" }[this.textAlign]
    const [, size, family] = this.font.match(/([\d.]+)px (.*)/)
    if (this.fillStyle === "transparent") return
    this.add("text", { x, y, fill: this.fillStyle, "font-size": size, "font-family": family, "text-anchor": anchor }, escaped(text))
  }

  drawImage(canvas, x, y, width, height) {
    const style = "image-rendering: pixelated"
    this.add("image", { x, y, width, height, href: canvas.toDataURL(), preserveAspectRatio: "none", style })
  }

  beginPath() {
    this.path = ""
  }

  moveTo(x, y) {
    this.path += `M${rounded(x)} ${rounded(y)}`
  }

  lineTo(x, y) {
    if (Number.isFinite(x) && Number.isFinite(y)) this.path += `${this.path ? "L" : "M"}${rounded(x)} ${rounded(y)}`
  }

  rect(x, y, width, height) {
    this.path += `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`
  }

  // Whole circles are all that is drawn.
  arc(x, y, radius) {
    this.path += `M${rounded(x - radius)} ${rounded(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`
  }

  closePath() {
    this.path += "Z"
  }

  stroke() {
    this.add("path", { d: this.path, ...this.outline })
  }

  fill() {
    this.add("path", { d: this.path, fill: this.fillStyle })
  }

  setLineDash(dash) {
    this.dash = dash
  }

  clip() {
    const id = `clip-${this.clips++}`
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`)
    this.groups++
  }

  // What a canvas keeps too, of all that is set above: neither its path nor what is drawn.
  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, dash, groups } = this
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, dash, groups })
  }

  restore() {
    const before = this.saved.pop() ?? this
    if (this.groups > before.groups) this.parts.push("</g>".repeat(this.groups - before.groups))
    Object.assign(this, before)
  }
}
