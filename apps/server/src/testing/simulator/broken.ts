/** A property that was broken, with the detail. */
export class Broken extends Error {
  readonly property: string

  constructor(property: string, detail: string) {
    super(`${property}: ${detail}`)
    this.name = 'Broken'
    this.property = property
  }
}
