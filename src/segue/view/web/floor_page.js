// The page of an evening: couples dance on the floor, and a list says what each dances and why.

import { decisionAt, drawEvening, FLOOR_LOOKS, FloorScale } from "./floor.js";

const evening = JSON.parse(document.getElementById("evening").textContent);
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
const slider = /** @type {HTMLInputElement} */ (document.getElementById("time"));
const clock = document.getElementById("clock"), play = document.getElementById("play");
const speed = /** @type {HTMLSelectElement} */ (document.getElementById("speed"));
let time = 0, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, last = null, chosen = -1;
play.textContent = playing ? "Pause" : "Play";
canvas.height = Math.round(canvas.width * evening.width / evening.length);
const scale = new FloorScale(canvas.width, canvas.height, evening);

const items = evening.couples.map((couple, number) => {
  const item = document.createElement("li");
  item.style.borderColor = couple.colour;
  const name = document.createElement("b"), pattern = document.createElement("span");
  const why = document.createElement("small");
  name.textContent = couple.name;
  item.append(name, pattern, why);
  item.onclick = () => { chosen = chosen === number ? -1 : number; };
  document.getElementById("couples").append(item);
  return { item, pattern, why };
});

function showEvening() {
  pen.clearRect(0, 0, canvas.width, canvas.height);
  drawEvening(pen, evening, time, scale, FLOOR_LOOKS.light, chosen);
  evening.couples.forEach((couple, number) => {
    const now = decisionAt(couple, time), { item, pattern, why } = items[number];
    pattern.textContent = now ? now[1] : "";
    why.textContent = now ? now[2] : "";
    item.className = number === chosen ? "chosen" : "";
  });
  slider.value = String(1000 * time / evening.seconds);
  clock.textContent = `${time.toFixed(1)} s`;
}

function tick(now) {
  if (playing && last !== null) time = (time + Number(speed.value) * (now - last) / 1000) % evening.seconds;
  last = now;
  showEvening();
  requestAnimationFrame(tick);
}

play.onclick = () => { playing = !playing; play.textContent = playing ? "Pause" : "Play"; };
slider.oninput = () => { time = evening.seconds * Number(slider.value) / 1000; };
requestAnimationFrame(tick);
