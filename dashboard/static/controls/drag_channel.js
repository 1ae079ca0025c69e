// Pictures while you drag a slider, over a websocket of their own. Each run gives its path. A request is the query that a release
// would write. If the websocket ends, it opens again by itself, and the last picture stays until then.

// Two requests at a time: the server draws one while the browser shows the other. With more, pictures would be outdated.
const MOST = 2
// In milliseconds: after a slower answer, send one request at a time.
const SLOW = 150
// In milliseconds: the delay before an ended websocket opens again. It doubles each time, up to SELDOM.
const SOON = 100
const SELDOM = 5000
// In milliseconds: if it is refused for so long, the session has ended or a proxy lets no websocket through.
const REFUSED = 500

export class DragChannel {
  // `draw` shows a picture. `refused` is called if no websocket opens, because a run may give another path.
  constructor({ draw, refused, open = (url) => new WebSocket(url) }) {
    Object.assign(this, { draw, refused, open })
    this.url = null
    this.socket = null
    this.waiting = null // the newest request that is not sent yet
    this.sent = [] // unanswered requests: text, time, and whether a run has drawn a newer picture
    this.isSlow = false
    this.wait = SOON
    this.isRefused = false // whether `refused` was called since the last picture or the last new path
    this.state = "closed" // closed, opening, open, broken
  }

  // Uses this URL from now on; null if there is none.
  connect(url) {
    if (url === this.url) return
    this.close()
    Object.assign(this, { url, isRefused: false })
  }

  ask(said) {
    this.waiting = JSON.stringify(said)
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
    Object.assign(this, { socket: null, sent: [], waiting: null, state: "closed" })
  }

  send() {
    if (!this.url || this.waiting === null) return
    if (this.state === "closed") this.start()
    if (this.state !== "open" || this.sent.length >= (this.isSlow ? 1 : MOST)) return
    this.socket.send(this.waiting)
    this.sent.push({ text: this.waiting, at: performance.now(), isOld: false })
    this.waiting = null
  }

  start() {
    this.state = "opening"
    this.socket = this.open(this.url)
    this.socket.onopen = () => {
      this.state = "open"
      this.send()
    }
    this.socket.onmessage = ({ data }) => this.receive(data)
    this.socket.onclose = () => this.end()
  }

  receive(data) {
    const { at, isOld } = this.sent.shift()
    this.isSlow = performance.now() - at > SLOW
    Object.assign(this, { wait: SOON, isRefused: false })
    if (!isOld) this.draw(JSON.parse(data))
    this.send()
  }

  end() {
    if (this.state === "opening" && this.wait > REFUSED && !this.isRefused) {
      this.isRefused = true
      this.refused()
    }
    this.waiting ??= this.sent.findLast(({ isOld }) => !isOld)?.text ?? null
    Object.assign(this, { socket: null, sent: [], state: "broken" })
    setTimeout(() => {
      if (this.state === "broken") this.state = "closed"
      this.send()
    }, this.wait)
    this.wait = Math.min(2 * this.wait, SELDOM)
  }
}
