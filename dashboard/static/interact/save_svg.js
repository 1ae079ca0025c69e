// @ts-check
// Takes the calls that are made on a canvas, as far as our drawings make them, and writes them down as SVG.

/** @import { Context } from "../types.js" */

/** @typedef {Record<string, string | number | undefined>} Attributes */
/** @typedef {Pick<SvgContext, "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textAlign" | "dash" | "moved" | "groups">} Saved */

const escaped = (/** @type {string} */ text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const rounded = (/** @type {number} */ number) => Math.round(number * 100) / 100
/** @type {Partial<Record<CanvasTextAlign, string>>} */
const ANCHORS = { center: "middle", right: "end" }

/** @implements {Context} */
export class SvgContext {
  fillStyle = "#000"
  strokeStyle = "#000"
  lineWidth = 1
  globalAlpha = 1
  font = "10px sans-serif"
  /** @type {CanvasTextAlign} */
  textAlign = "start"
  /** @type {number[]} */
  dash = []
  moved = "" // by translate and rotate
  groups = 0 // that are open, one for each clip
  /** @type {Saved[]} */
  saved = []
  /** @type {string[]} */
  parts = []
  path = ""
  clips = 0

  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width
    this.height = height
  }

  toString() {
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${this.parts.join("\n")}\n</svg>\n`
  }

  /** @type {(tag: string, attributes: Attributes, content?: string) => void} */
  add(tag, attributes, content = "") {
    const all = { ...attributes, opacity: this.globalAlpha === 1 ? undefined : this.globalAlpha, transform: this.moved || undefined }
    const written = Object.entries(all).filter(([, value]) => value !== undefined)
    const shown = written.map(([name, value]) => ` ${name}="${typeof value === "number" ? rounded(value) : escaped(String(value))}"`)
    this.parts.push(`<${tag}${shown.join("")}>${content}</${tag}>`)
  }

  /** @returns {Attributes} */
  get outline() {
    const dashes = this.dash.length ? this.dash.join(" ") : undefined
    return { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-dasharray": dashes }
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  fillRect(x, y, width, height) {
    if (this.fillStyle !== "transparent") this.add("rect", { x, y, width, height, fill: this.fillStyle })
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  strokeRect(x, y, width, height) {
    this.add("rect", { x, y, width, height, ...this.outline })
  }

  /** @type {(text: string, x: number, y: number) => void} */
  fillText(text, x, y) {
    if (this.fillStyle === "transparent") return
    const [, slant, size, family] = this.font.match(/(italic )?([\d.]+)px (.*)/) ?? []
    const font = { "font-size": size, "font-family": family, "font-style": slant?.trim() }
    const style = { fill: this.fillStyle, ...font, "text-anchor": ANCHORS[this.textAlign] }
    this.add("text", { x, y, ...style }, escaped(text))
  }

  /** @type {(canvas: HTMLCanvasElement, x: number, y: number, width: number, height: number) => void} */
  drawImage(canvas, x, y, width, height) {
    const style = "image-rendering: pixelated"
    this.add("image", { x, y, width, height, href: canvas.toDataURL(), preserveAspectRatio: "none", style })
  }

  beginPath() {
    this.path = ""
  }

  /** @type {(x: number, y: number) => void} */
  moveTo(x, y) {
    this.path += `M${rounded(x)} ${rounded(y)}`
  }

  /** @type {(x: number, y: number) => void} */
  lineTo(x, y) {
    if (Number.isFinite(x) && Number.isFinite(y)) this.path += `${this.path ? "L" : "M"}${rounded(x)} ${rounded(y)}`
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  rect(x, y, width, height) {
    this.path += `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`
  }

  // A whole circle, or less than a half of one, clockwise from where the path has come to.
  /** @type {(x: number, y: number, radius: number, start: number, end: number) => void} */
  arc(x, y, radius, start, end) {
    const at = (/** @type {number} */ angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
    if (end - start < Math.PI) {
      const [[left, top], [right, bottom]] = [at(start), at(end)]
      this.lineTo(left, top)
      this.path += `A${rounded(radius)} ${rounded(radius)} 0 0 1 ${rounded(right)} ${rounded(bottom)}`
      return
    }
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

  /** @type {(dash: number[]) => void} */
  setLineDash(dash) {
    this.dash = dash
  }

  /** @type {(x: number, y: number) => void} */
  translate(x, y) {
    this.moved += ` translate(${rounded(x)} ${rounded(y)})`
  }

  /** @type {(angle: number) => void} */
  rotate(angle) {
    this.moved += ` rotate(${rounded((angle * 180) / Math.PI)})`
  }

  clip() {
    const id = `clip-${this.clips++}`
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`)
    this.groups++
  }

  // Saves what a canvas saves too: the settings above, but neither the path nor the drawing.
  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, dash, moved, groups } = this
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, dash, moved, groups })
  }

  restore() {
    const before = this.saved.pop() ?? this
    if (this.groups > before.groups) this.parts.push("</g>".repeat(this.groups - before.groups))
    Object.assign(this, before)
  }
}
