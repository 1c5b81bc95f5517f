// What the time line draws on canvases: the ruler with seconds and beats, and the effort of every frame.

/** @import { Ruler } from "./ruler.js" */

import { effortColour, worstEffort } from "./effort.js";

/** Return the pen of a canvas as large as its lane, cleared. */
function pen(canvas, width) {
  const sharp = devicePixelRatio, height = canvas.parentElement.clientHeight;
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, height };
}

/**
 * Draw seconds, and beats of some seconds from an origin on if there are any.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Ruler} ruler
 */
export function drawRuler(canvas, ruler, beat, origin) {
  const { context, height } = pen(canvas, ruler.width), style = getComputedStyle(canvas);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = style.color;
  context.strokeStyle = style.getPropertyValue("--edge");
  const line = (time, from) => {
    const x = Math.round(ruler.toPixel(time)) + 0.5;
    context.beginPath();
    context.moveTo(x, from);
    context.lineTo(x, height);
    context.stroke();
    return x;
  };
  const marks = ruler.marks(), step = marks[1] - marks[0],
    places = Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9));
  for (const time of marks) {
    const x = line(time, 4);
    const words = `${time.toFixed(places)} s`;
    if (x + 4 + context.measureText(words).width <= ruler.width) context.fillText(words, x + 4, 12);
    for (let k = 1; k < 5; k++) line(time + k * step / 5, height - 4);
  }
  if (!(beat * ruler.scale > 6)) return;
  context.strokeStyle = context.fillStyle = style.getPropertyValue("--accent");
  for (let k = Math.ceil((ruler.start - origin) / beat); origin + k * beat <= ruler.stop; k++) {
    const bar = k % 4 === 0, x = line(origin + k * beat, height - (bar ? 10 : 6));
    if (bar && beat * ruler.scale > 12) context.fillText(String(k / 4 + 1), x + 3, height - 1);
  }
}

/**
 * Draw the greatest effort of each frame as a colour; of frames that share a pixel, the greatest.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Ruler} ruler
 */
export function drawEffort(canvas, ruler, channel) {
  const { context, height } = pen(canvas, ruler.width);
  if (!channel?.values?.length) return;
  const { worst } = worstEffort(channel), each = Math.max(1, Math.floor(channel.fps / ruler.scale));
  const width = each * ruler.scale / channel.fps;
  for (let frame = 0; frame < worst.length; frame += each) {
    const x = ruler.toPixel(channel.start + (frame + (each - 1) / 2) / channel.fps);
    if (x < -width || x > ruler.width + width) continue;
    const effort = Math.max(...worst.slice(frame, frame + each));
    context.fillStyle = `rgb(${effortColour(effort).map((part) => Math.round(255 * part)).join(" ")})`;
    // height as well as colour, for eyes that do not tell the colours apart
    const tall = height * Math.min(0.25 + 0.75 * effort, 1);
    context.fillRect(x - width / 2, height - tall, width + 0.6, tall);
  }
}

/** Return which joint works hardest at a time, in words. */
export function effortWords(channel, time) {
  if (!channel?.values?.length) return "";
  const { worst, who } = worstEffort(channel);
  const frame = Math.min(Math.max(Math.round((time - channel.start) * channel.fps), 0), worst.length - 1);
  return `${channel.rows[who[frame]].replaceAll("_", " ")}: ${Math.round(100 * worst[frame])} % of its strength`;
}
