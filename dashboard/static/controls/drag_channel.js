// @ts-check
// Pictures while you drag a slider, over a websocket of their own. Each run gives its path. A request is the query that a release
// would write. If the websocket ends, it opens again by itself, and the last picture stays until then.

/** @import { PictureData } from "../types.js" */

/**
 * @typedef {"closed" | "opening" | "open" | "broken"} State
 * @typedef {{ text: string, at: number, isOld: boolean }} Request An unanswered request, when it was sent, and whether a run has drawn
 * a newer picture.
 * @typedef {Pick<WebSocket, "send" | "close" | "onopen" | "onmessage" | "onclose">} Socket
 */

// Two requests at a time: the server draws one while the browser shows the other. With more, pictures would be outdated.
const MOST = 2
// In milliseconds: after a slower answer, send one request at a time.
const SLOW = 150
// In milliseconds: the delay before an ended websocket opens again. It doubles each time, up to SELDOM.
const SOON = 100
const SELDOM = 5000
// In milliseconds: if no picture comes while the websocket ends and opens for this long, the session has ended or a proxy blocks it.
const REFUSED = 500
// In milliseconds: without an answer for so long the connection counts as lost. A browser itself may notice it only after minutes, and
// the largest pictures of a busy server take seconds.
const DEAD = 20_000

export class DragChannel {
  /** @type {string | null} */
  url = null
  /** @type {State} */
  state = "closed"
  /** @type {Socket | null} */
  socket = null
  /** @type {string | null} The newest request that is not sent yet. */
  waiting = null
  /** @type {Request[]} */
  sent = []
  isSlow = false
  wait = SOON
  isRefused = false // whether `refused` was called since the last picture or the last new path

  /**
   * @param {object} options
   * @param {(data: PictureData) => void} options.draw Shows a picture.
   * @param {() => void} options.refused Called if no websocket brings a picture, because a run may give another path.
   * @param {(url: string) => Socket} [options.open]
   */
  constructor({ draw, refused, open = (url) => new WebSocket(url) }) {
    this.draw = draw
    this.refused = refused
    this.open = open
  }

  // Uses this URL from now on; null if there is none.
  /** @type {(url: string | null) => void} */
  connect(url) {
    if (url === this.url) return
    this.close()
    this.url = url
    this.isRefused = false
  }

  /** @type {(query: string) => void} */
  ask(query) {
    const [oldest] = this.sent
    if (oldest && performance.now() - oldest.at > DEAD) this.close()
    this.waiting = query
    this.send()
  }

  // A run has drawn the page: earlier requests are outdated.
  answered() {
    for (const request of this.sent) request.isOld = true
    this.waiting = null
  }

  close() {
    if (this.socket) this.socket.onclose = null
    this.socket?.close()
    this.socket = null
    this.sent = []
    this.waiting = null
    this.state = "closed"
  }

  send() {
    if (!this.url || this.waiting === null) return
    if (this.state === "closed") this.start(this.url)
    if (this.state !== "open" || this.sent.length >= (this.isSlow ? 1 : MOST)) return
    this.socket?.send(this.waiting)
    this.sent.push({ text: this.waiting, at: performance.now(), isOld: false })
    this.waiting = null
  }

  /** @type {(url: string) => void} */
  start(url) {
    this.state = "opening"
    this.socket = this.open(url)
    this.socket.onopen = () => {
      this.state = "open"
      this.send()
    }
    this.socket.onmessage = ({ data }) => this.receive(data)
    this.socket.onclose = () => this.end()
  }

  /** @type {(data: string) => void} */
  receive(data) {
    const request = this.sent.shift()
    if (!request) return
    this.isSlow = performance.now() - request.at > SLOW
    this.wait = SOON
    this.isRefused = false
    if (!request.isOld) this.draw(JSON.parse(data))
    this.send()
  }

  end() {
    if (this.wait > REFUSED && !this.isRefused) {
      this.isRefused = true
      this.refused()
    }
    this.waiting ??= this.sent.findLast(({ isOld }) => !isOld)?.text ?? null
    this.socket = null
    this.sent = []
    this.state = "broken"
    setTimeout(() => {
      if (this.state === "broken") this.state = "closed"
      this.send()
    }, this.wait)
    this.wait = Math.min(2 * this.wait, SELDOM)
  }
}
