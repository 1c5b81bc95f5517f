// The viewer: it puts the parts together, and draws a picture whenever something has changed.

const LOOKS = {
  light: {
    low: [1, 1, 1], high: [0.87, 0.9, 0.94], // the sky, from the bottom of the picture to its top
    ground: [0.925, 0.93, 0.935], line: [0.78, 0.79, 0.81], ink: [0.1, 0.11, 0.14], shade: 0.62,
  },
  dark: {
    low: [0.15, 0.165, 0.19], high: [0.075, 0.085, 0.105],
    ground: [0.175, 0.19, 0.215], line: [0.28, 0.3, 0.335], ink: [0.03, 0.035, 0.045], shade: 0.8,
  },
};
const CALM = 250; // milliseconds after the last change from which a picture is drawn as finely as can be

class Viewer {
  constructor(root, contents) {
    const find = (name) => root.querySelector(`#${name}`);
    this.root = root;
    this.quality = new Quality();
    this.last = null;
    this.drawn = 0;
    this.shown = "";
    this.fits = false;
    this.canvas = find("picture");
    this.motions = contents.motions.map((given) => new Motion(given, contents.tree));
    this.settings = {
      follow: true, trails: false, ghosts: false, overlay: contents.together, loop: true, ghostCount: 6,
      ghostSpacing: 0.25, forces: this.motions.some((motion) => motion.forces),
      mesh: this.motions.some((motion) => motion.skin),
    };
    const { azimuth, elevation } = contents.camera, several = this.motions.length > 1;
    this.stage = new Stage(this.motions, contents.colours, azimuth);
    if (contents.together) this.stage.arrange("overlaid");
    // several who go side by side are looked at from before them, or one would hide the other
    const ahead = several && this.stage.course?.[0];
    this.camera = new Camera(ahead ? Math.atan2(...ahead) * 180 / Math.PI - 25 : azimuth, elevation);
    this.clock = new Clock(
      Math.min(...this.motions.map((motion) => motion.start)), Math.max(...this.motions.map((motion) => motion.stop)),
      Math.max(...this.motions.map((motion) => motion.fps)),
    );
    this.scene = new Scene(this.canvas, this.motions, contents.colours, () => this.moved());
    this.showNames(find("title"), find("legend"), find("labels"), contents.colours);
    const seeks = (time) => { this.clock.seek(time); this.moved(); };
    this.timeline = new Timeline(root, this.clock, this.motions, contents.colours, seeks);
    this.controls = new Controls(root, this);
    new Pointer(this.canvas, this.camera, () => this.moved());
    this.watch();
  }

  /** Write the motions' labels: the title of a single one, or a list, and one above every figure. */
  showNames(title, legend, labels, colours) {
    title.textContent = document.title;
    if (this.motions.length < 2) return;
    const tints = this.motions.map((_, k) => css(colours.bodies[k % colours.bodies.length]));
    title.hidden = true;
    legend.replaceChildren(...this.motions.map((motion, k) => {
      const item = document.createElement("li"), dot = document.createElement("i");
      dot.style.background = tints[k];
      item.append(dot, motion.label);
      return item;
    }));
    this.labels = this.motions.map((motion, k) => {
      const label = document.createElement("span");
      label.textContent = motion.label;
      label.style.borderColor = tints[k];
      return label;
    });
    labels.replaceChildren(...this.labels);
  }

  /** Draw anew when the page's size, its sharpness or the system's colours change, or the graphics card comes back. */
  watch() {
    new ResizeObserver(() => this.resize()).observe(this.root);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const colour = () => { this.look = dark.matches ? LOOKS.dark : LOOKS.light; this.moved(); };
    dark.addEventListener("change", colour);
    const sharpness = () => {
      const screen = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
      screen.addEventListener("change", () => { sharpness(); this.resize(); }, { once: true });
    };
    sharpness();
    document.addEventListener("visibilitychange", () => { this.last = null; });
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => { this.scene.make(); this.shown = ""; this.moved(); });
    colour();
    this.resize();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const bottom = this.root.querySelector("footer").offsetHeight, top = this.root.querySelector("header").offsetHeight;
    this.camera.resize({ width, height, top: Math.min(top, 0.15 * height), bottom });
    if (!this.fits) this.reset();
    this.fits = true;
    this.moved();
  }

  /** Look again from where one looked at first, at what is followed or at all that will happen. */
  reset() {
    this.camera.reset(this.settings.follow ? this.stage.middle(this.clock.time) : this.stage.whole());
    this.moved();
  }

  /** Switch a setting. */
  set(name, on) {
    this.settings[name] = on;
    if (name === "loop") this.clock.loop = on;
    if (name === "mesh") this.scene.meshes = on;
    if (name === "overlay") {
      this.stage.arrange(on ? "overlaid" : "beside");
      this.reset();
    }
    if (name === "follow" && on) this.camera.aside = [0, 0, 0];
    this.moved();
  }

  /** Ask for a new picture, and for a finer one once all is calm. */
  moved() {
    this.asked ??= requestAnimationFrame((now) => this.tick(now));
    clearTimeout(this.calm);
    if (!this.clock.playing && this.quality.level > 0) this.calm = setTimeout(() => this.draw(true), CALM);
  }

  tick(now) {
    this.asked = null;
    const spent = this.last === null ? 0 : now - this.last;
    this.clock.advance(Math.min(spent / 1000, 0.25)); // a page that was out of sight does not leap
    if (spent > 0) this.quality.note(spent);
    this.last = this.clock.playing ? now : null;
    this.draw(false);
    if (this.clock.playing) this.moved();
  }

  draw(still) {
    const { settings, stage, clock, camera } = this;
    const quality = this.sharpen(still), moved = this.pose();
    const frames = this.motions.map((motion) => motion.frameAt(clock.time));
    if (settings.follow) camera.lookAt(stage.middle(clock.time));
    this.scene.draw({
      camera,
      figures: stage.figures,
      ghosts: stage.ghosts,
      trails: settings.trails ? frames : null,
      forces: settings.forces ? frames : null,
      look: this.look,
      moved,
      quality,
    });
    this.placeLabels();
    this.timeline.update();
    this.controls.update();
    this.drawn += 1;
  }

  /** Give the canvas as many pixels as the machine can draw in time. */
  sharpen(still) {
    const quality = this.quality.chosen(still), { width, height } = this.camera.size, canvas = this.canvas;
    const [columns, rows] = [width, height].map((length) => Math.max(Math.round(length * quality.sharp), 1));
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    return quality;
  }

  /** Take the figures to the clock's time, and return whether anything about them has changed. */
  pose() {
    const { ghosts, ghostCount, ghostSpacing, overlay } = this.settings;
    const asked = [this.clock.time, overlay, ghosts && [ghostCount, ghostSpacing]].join();
    if (asked === this.shown) return false;
    this.shown = asked;
    this.stage.setTime(this.clock.time, ghosts ? { count: ghostCount, spacing: ghostSpacing } : null);
    return true;
  }

  placeLabels() {
    if (!this.labels) return;
    const matrix = this.camera.matrix();
    this.labels.forEach((label, k) => {
      const place = this.camera.project(matrix, this.stage.labelPlace(this.stage.figures[k]));
      label.hidden = !place;
      if (!place) return;
      const [right, down] = place.map((pixels) => `${pixels.toFixed(1)}px`);
      label.style.transform = `translate(${right}, ${down}) translate(-50%, -100%)`;
    });
  }
}

/** Show the viewer, or say in a sentence why it cannot be shown. */
function start() {
  const root = document.getElementById("viewer");
  const contents = JSON.parse(document.getElementById("contents").textContent);
  let viewer;
  try {
    viewer = new Viewer(root, contents);
  } catch (error) {
    const message = document.getElementById("message");
    message.textContent = `This browser cannot draw the motion (${error.message}). `
      + "A browser with WebGL 2 is needed, with hardware acceleration allowed in its settings.";
    message.hidden = false;
    root.classList.add("failed");
    return;
  }
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) viewer.clock.play();
  viewer.moved();
  // for scripts of whoever puts the page into another one
  window.segueViewer = {
    get time() { return viewer.clock.time; },
    get playing() { return viewer.clock.playing; },
    get drawn() { return viewer.drawn; },
    get quality() { return viewer.quality.chosen(false); },
    play() { viewer.clock.play(); viewer.moved(); },
    pause() { viewer.clock.pause(); viewer.moved(); },
    seek(time) { viewer.clock.seek(time); viewer.moved(); },
    /** Return where the segments of a motion are in a frame, 3 numbers each, in m. */
    positions(motion, frame) {
      const chosen = viewer.motions[motion];
      return Array.from(chosen.place(frame, new Placement(chosen.tree.parents.length)).places);
    },
    /** Return where the graphics card puts the vertices of a motion's mesh in a frame, 3 numbers each, in m. */
    vertices(motion, frame) {
      const { scene, stage } = viewer, exposure = new Exposure(motion, stage.segments);
      exposure.frame = frame;
      return Array.from(scene.skins[motion].captured(exposure, scene.programs.skin));
    },
    /** Draw the picture now and wait until it is there; returns milliseconds. */
    redraw() {
      const begin = performance.now();
      viewer.shown = "";
      viewer.draw(true);
      viewer.scene.gl.readPixels(0, 0, 1, 1, viewer.scene.gl.RGBA, viewer.scene.gl.UNSIGNED_BYTE, new Uint8Array(4));
      return performance.now() - begin;
    },
  };
}

start();
