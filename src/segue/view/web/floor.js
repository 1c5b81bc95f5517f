// A dance floor from above at a time of an evening: floor, line of dance, couples and their last steps.

const TAIL = 4, COLUMNS = 18; // seconds of the way behind a couple; numbers of a moment: two bodies and four feet

/** The colours of a floor, its walls and of soles. */
export const FLOOR_LOOKS = {
  light: { floor: "#f6f1e7", wall: "#8a7f6d", sole: "#55504a", body: "#ffffff" },
  dark: { floor: "#2d2a25", wall: "#8d8474", sole: "#b9b1a3", body: "#1b1f25" },
};

/** Return the numbers of a couple at a time in m and rad: x, z and heading of both bodies and four feet. */
export function coupleAt(couple, rate, time) {
  const count = couple.rows.length / COLUMNS, place = Math.min(Math.max(time * rate, 0), count - 1);
  const first = Math.floor(place), next = Math.min(first + 1, count - 1), share = place - first;
  return Array.from({ length: COLUMNS }, (_, k) => {
    const a = couple.rows[first * COLUMNS + k], b = couple.rows[next * COLUMNS + k];
    return (a + share * (b - a)) / 1000;
  });
}

/** Return the decision that a couple follows at a time: when, what, why; undefined before the first. */
export function decisionAt(couple, time) {
  return couple.decisions.findLast((decision) => decision[0] <= time);
}

/** Where the floor lies in a picture: pixels a metre, and the pixel of its middle. Length goes right, width up. */
export class FloorScale {
  constructor(width, height, ground, margin = 0) {
    this.scale = Math.max(Math.min((width - 2 * margin) / ground.length, (height - 2 * margin) / ground.width), 1e-3);
    this.x = width / 2;
    this.y = height / 2;
  }

  right(z) {
    return this.x + this.scale * z;
  }

  down(x) {
    return this.y - this.scale * x;
  }

  /** Return x and z in m of a pixel. */
  place(right, down) {
    return [(this.y - down) / this.scale, (right - this.x) / this.scale];
  }
}

/** Draw the floor with its walls. */
export function drawGround(pen, ground, at, look) {
  const { length, width } = ground, [left, top] = [at.right(-length / 2), at.down(width / 2)];
  pen.fillStyle = look.floor;
  pen.fillRect(left, top, at.scale * length, at.scale * width);
  pen.strokeStyle = look.wall;
  pen.lineWidth = 3;
  pen.strokeRect(left, top, at.scale * length, at.scale * width);
}

/** Draw an evening at a time. chosen: the number of a couple with a ring around it, or -1. */
export function drawEvening(pen, evening, time, at, look, chosen = -1) {
  drawGround(pen, evening, at, look);
  if (evening.lane.length) {
    pen.lineWidth = 1.5;
    pen.setLineDash([8, 8]);
    pen.beginPath();
    for (const [x, z] of evening.lane) pen.lineTo(at.right(z), at.down(x));
    pen.closePath();
    pen.stroke();
    pen.setLineDash([]);
  }
  evening.couples.forEach((couple, k) => drawCouple(pen, couple, evening.rate, time, at, look, k === chosen));
}

function drawCouple(pen, couple, rate, time, at, look, chosen) {
  const { scale } = at, row = coupleAt(couple, rate, time);
  const middle = (each) => [(each[0] + each[3]) / 2, (each[1] + each[4]) / 2];
  const placed = (x, z, heading, draw) => {
    pen.save();
    pen.translate(at.right(z), at.down(x));
    pen.rotate(-heading);
    draw();
    pen.restore();
  };
  pen.strokeStyle = couple.colour;
  pen.globalAlpha = 0.35;
  pen.lineWidth = 3;
  pen.beginPath();
  for (let then = Math.max(0, time - TAIL); then <= time; then += 1 / rate) {
    const [x, z] = middle(coupleAt(couple, rate, then));
    pen.lineTo(at.right(z), at.down(x));
  }
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = look.sole;
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
      pen.fillStyle = look.body;
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
  if (!chosen) return;
  const [x, z] = middle(row);
  pen.strokeStyle = couple.colour;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(at.right(z), at.down(x), scale * 0.8, 0, 7);
  pen.stroke();
}
