import { ProblemError } from '#bff/http/problem-error.ts'

/** Explains in words for the reader why there is no picture. */
export class PictureError extends ProblemError {
  constructor(reason: string) {
    super({ code: 'picture_unavailable', detail: reason })
    this.name = 'PictureError'
  }
}
