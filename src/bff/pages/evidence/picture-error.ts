import { ProblemError } from '#bff/http/problem-error.ts'

/** Why there is no picture, in words for the reader. */
export class PictureError extends ProblemError {
  constructor(reason: string) {
    super({ code: 'picture_unavailable', detail: reason })
    this.name = 'PictureError'
  }
}
