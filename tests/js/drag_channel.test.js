// The states of the drag channel: closed, opening, open, broken.

import assert from "node:assert/strict"
import { beforeEach, mock, test } from "node:test"
import { DragChannel } from "../../dashboard/static/controls/drag_channel.js"

class Socket {
  sent = []
  isClosed = false

  constructor(url) {
    this.url = url
  }

  send(text) {
    this.sent.push(text)
  }

  close() {
    this.isClosed = true
    this.onclose?.()
  }

  answer(picture) {
    this.onmessage({ data: JSON.stringify(picture) })
  }
}

let sockets, drawn, refusals, now, channel

beforeEach(() => {
  mock.reset()
  mock.timers.reset()
  mock.timers.enable({ apis: ["setTimeout"] })
  ;[sockets, drawn, refusals, now] = [[], [], 0, 0]
  mock.method(performance, "now", () => now)
  channel = new DragChannel({
    draw: (picture) => drawn.push(picture),
    refused: () => refusals++,
    open: (url) => sockets[sockets.push(new Socket(url)) - 1],
  })
})

function opened() {
  channel.connect("ws://here/live/1")
  channel.ask("k=1")
  const [socket] = sockets.slice(-1)
  socket.onopen()
  return socket
}

test("it opens with the first request, and sends it then", () => {
  channel.connect("ws://here/live/1")
  assert.equal(channel.state, "closed")
  channel.ask("k=1")
  assert.equal(channel.state, "opening")
  assert.deepEqual(sockets[0].sent, [])
  channel.ask("k=2")
  sockets[0].onopen()
  assert.equal(channel.state, "open")
  assert.equal(sockets[0].url, "ws://here/live/1")
  assert.deepEqual(sockets[0].sent, ["k=2"])
})

test("without a path it asks nobody", () => {
  channel.ask("k=1")
  assert.equal(sockets.length, 0)
})

test("two requests are on their way at most, and the newest waits", () => {
  const socket = opened()
  for (const k of [2, 3, 4]) channel.ask(`k=${k}`)
  assert.deepEqual(socket.sent, ["k=1", "k=2"])
  socket.answer("one")
  assert.deepEqual(socket.sent, ["k=1", "k=2", "k=4"])
  socket.answer("two")
  socket.answer("four")
  assert.deepEqual(drawn, ["one", "two", "four"])
})

test("after a slow answer one request is on its way at a time", () => {
  const socket = opened()
  now = 200
  socket.answer("one")
  channel.ask("k=2")
  channel.ask("k=3")
  assert.deepEqual(socket.sent, ["k=1", "k=2"])
  now = 250
  socket.answer("two")
  channel.ask("k=4")
  assert.deepEqual(socket.sent, ["k=1", "k=2", "k=3", "k=4"])
})

test("a picture that was asked for before a run is not drawn", () => {
  const socket = opened()
  channel.ask("k=2")
  channel.ask("k=3")
  channel.answered()
  socket.answer("one")
  socket.answer("two")
  assert.deepEqual(drawn, [])
  assert.deepEqual(socket.sent, ["k=1", "k=2"])
  channel.ask("k=4")
  socket.answer("four")
  assert.deepEqual(drawn, ["four"])
})

test("if the websocket ends, it opens again with the last request that no run has answered", () => {
  const socket = opened()
  channel.ask("k=2")
  socket.close()
  assert.equal(channel.state, "broken")
  channel.ask("k=3")
  assert.equal(sockets.length, 1)
  mock.timers.tick(100)
  assert.equal(channel.state, "opening")
  sockets[1].onopen()
  assert.deepEqual(sockets[1].sent, ["k=3"])
  sockets[1].close()
  mock.timers.tick(200)
  sockets[2].onopen()
  assert.deepEqual(sockets[2].sent, ["k=3"])
})

test("it stays closed where nothing is asked", () => {
  const socket = opened()
  socket.answer("one")
  socket.close()
  mock.timers.tick(100_000)
  assert.equal(channel.state, "closed")
  assert.equal(sockets.length, 1)
})

test("a websocket that is refused is tried at growing intervals, and this is said once", () => {
  channel.connect("ws://here/live/1")
  channel.ask("k=1")
  const waits = []
  for (let tries = 0; tries < 9; tries++) {
    sockets.at(-1).onclose()
    const [before, from] = [sockets.length, waits.length]
    for (let wait = 0; sockets.length === before; wait += 100) {
      waits[from] = wait + 100
      mock.timers.tick(100)
    }
  }
  assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  assert.equal(refusals, 1)
})

test("a websocket that opens and ends without a picture is refused, too", () => {
  channel.connect("ws://here/live/1")
  channel.ask("k=1")
  for (let tries = 0; tries < 9; tries++) {
    sockets.at(-1).onopen()
    sockets.at(-1).onclose()
    mock.timers.tick(10_000)
  }
  assert.equal(sockets.length, 10)
  assert.equal(refusals, 1)
})

test("a websocket that does not answer any more is replaced, and its late answers are not drawn", () => {
  const socket = opened()
  channel.ask("k=2")
  now = 19_000
  channel.ask("k=3")
  assert.equal(sockets.length, 1)
  now = 21_000
  channel.ask("k=4")
  assert.equal(socket.isClosed, true)
  sockets[1].onopen()
  assert.deepEqual(sockets[1].sent, ["k=4"])
  sockets[1].answer("four")
  assert.deepEqual(drawn, ["four"])
})

test("a picture ends the waiting, and another refusal is said again", () => {
  channel.connect("ws://here/live/1")
  channel.ask("k=1")
  for (let tries = 0; tries < 5; tries++) {
    sockets.at(-1).onclose()
    mock.timers.tick(10_000)
  }
  assert.equal(refusals, 1)
  sockets.at(-1).onopen()
  sockets.at(-1).answer("one")
  assert.equal(channel.wait, 100)
  assert.equal(channel.isRefused, false)
})

test("another path closes the websocket and forgets what waits", () => {
  const socket = opened()
  channel.connect("ws://here/live/1")
  assert.equal(socket.isClosed, false)
  channel.ask("k=2")
  channel.ask("k=3")
  channel.connect("ws://here/live/2")
  assert.equal(socket.isClosed, true)
  assert.equal(channel.state, "closed")
  mock.timers.tick(100_000)
  assert.equal(sockets.length, 1)
  channel.ask("k=4")
  assert.equal(sockets[1].url, "ws://here/live/2")
  channel.connect(null)
  channel.ask("k=5")
  assert.equal(sockets.length, 2)
})
