// What is drawn on: first a surface of our own, whose number of samples to a pixel can change; then the canvas.

export class Surface {
  constructor(gl) {
    this.gl = gl;
    this.frame = gl.createFramebuffer();
    this.colour = gl.createRenderbuffer();
    this.depth = gl.createRenderbuffer();
    this.shape = "";
  }

  /** Begin a picture as large as the canvas. */
  begin(samples) {
    const gl = this.gl, { width, height } = gl.canvas;
    const most = Math.min(samples, gl.getParameter(gl.MAX_SAMPLES)), shape = `${width} ${height} ${most}`;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    if (shape !== this.shape) {
      const attach = (buffer, format, place) => {
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
        gl.renderbufferStorageMultisample(gl.RENDERBUFFER, most, format, width, height);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
      };
      attach(this.colour, gl.RGBA8, gl.COLOR_ATTACHMENT0);
      attach(this.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT);
      this.shape = shape;
    }
    gl.viewport(0, 0, width, height);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.COLOR_BUFFER_BIT);
  }

  /** Bring the picture to the canvas. */
  end() {
    const gl = this.gl, { width, height } = gl.canvas;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.frame);
    gl.invalidateFramebuffer(gl.READ_FRAMEBUFFER, [gl.DEPTH_ATTACHMENT]);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}
