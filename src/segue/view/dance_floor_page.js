"use strict";
const evening = JSON.parse(document.getElementById("evening").textContent);
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
const slider = document.getElementById("time"), clock = document.getElementById("clock");
const play = document.getElementById("play"), speed = document.getElementById("speed");
const TAIL = 4, COLUMNS = 18;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
let time = 0, playing = !still, last = null, chosen = -1;
play.textContent = playing ? "Pause" : "Play";
canvas.height = Math.round(canvas.width * evening.width / evening.length);
const scale = canvas.width / evening.length;
const right = (z) => scale * (z + evening.length / 2), down = (x) => scale * (evening.width / 2 - x);

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

function pose(couple, at) {
  const place = Math.min(Math.max(at * evening.rate, 0), couple.rows.length / COLUMNS - 1);
  const first = Math.floor(place), next = Math.min(first + 1, couple.rows.length / COLUMNS - 1), share = place - first;
  const row = [];
  for (let k = 0; k < COLUMNS; k++) {
    const a = couple.rows[first * COLUMNS + k], b = couple.rows[next * COLUMNS + k];
    row.push((a + share * (b - a)) / 1000);
  }
  return row;
}

function placed(x, z, heading, draw) {
  pen.save();
  pen.translate(right(z), down(x));
  pen.rotate(-heading);
  draw();
  pen.restore();
}

function drawCouple(couple, number) {
  const row = pose(couple, time);
  pen.strokeStyle = couple.colour;
  pen.globalAlpha = 0.35;
  pen.lineWidth = 3;
  pen.beginPath();
  for (let at = Math.max(0, time - TAIL); at <= time; at += 1 / evening.rate) {
    const past = pose(couple, at);
    pen.lineTo(right((past[1] + past[4]) / 2), down((past[0] + past[3]) / 2));
  }
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = "#55504a";
  for (let k = 0; k < 4; k++) {
    const [back, front, half] = couple.soles[k < 2 ? 0 : 1];
    placed(row[6 + 3 * k], row[7 + 3 * k], row[8 + 3 * k], () => {
      pen.beginPath();
      pen.ellipse(scale * (front - back) / 2, 0, scale * (front + back) / 2, scale * half, 0, 0, 7);
      pen.fill();
    });
  }
  for (const [k, alpha] of [[1, 0.5], [0, 1]]) {
    const stature = couple.statures[k];
    placed(row[3 * k], row[3 * k + 1], row[3 * k + 2], () => {
      pen.fillStyle = "white";
      pen.beginPath();
      pen.ellipse(0, 0, scale * 0.065 * stature, scale * 0.13 * stature, 0, 0, 7);
      pen.fill();
      pen.globalAlpha = alpha;
      pen.fillStyle = couple.colour;
      pen.fill();
      pen.beginPath();
      pen.arc(scale * 0.02 * stature, 0, scale * 0.055 * stature, 0, 7);
      pen.fill();
      pen.globalAlpha = 1;
    });
  }
  if (number === chosen) {
    pen.strokeStyle = couple.colour;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(right((row[1] + row[4]) / 2), down((row[0] + row[3]) / 2), scale * 0.8, 0, 7);
    pen.stroke();
  }
}

function draw() {
  pen.fillStyle = "#f6f1e7";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = "#8a7f6d";
  pen.lineWidth = 6;
  pen.strokeRect(0, 0, canvas.width, canvas.height);
  if (evening.lane.length) {
    pen.lineWidth = 1.5;
    pen.setLineDash([8, 8]);
    pen.beginPath();
    for (const [x, z] of evening.lane) pen.lineTo(right(z), down(x));
    pen.closePath();
    pen.stroke();
    pen.setLineDash([]);
  }
  evening.couples.forEach(drawCouple);
  evening.couples.forEach((couple, number) => {
    const now = couple.decisions.findLast((decision) => decision[0] <= time);
    const { item, pattern, why } = items[number];
    pattern.textContent = now ? now[1] : "";
    why.textContent = now ? now[2] : "";
    item.className = number === chosen ? "chosen" : "";
  });
  slider.value = 1000 * time / evening.seconds;
  clock.textContent = time.toFixed(1) + " s";
}

function tick(now) {
  if (playing && last !== null) time = (time + Number(speed.value) * (now - last) / 1000) % evening.seconds;
  last = now;
  draw();
  requestAnimationFrame(tick);
}

play.onclick = () => { playing = !playing; play.textContent = playing ? "Pause" : "Play"; };
slider.oninput = () => { time = evening.seconds * slider.value / 1000; };
requestAnimationFrame(tick);
