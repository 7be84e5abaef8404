/** Which of many like looks a test run takes: half of them by turns, which change with the day; `npm run pages` takes all. */

const isWhole = process.env.KASSA_PAGES === 'all'

/** The day, unless a turn that failed is named again. */
const turn = Number(process.env.KASSA_PAGES_TURN ?? Math.floor(Date.now() / 86_400_000) % 2)

/** Says which turn this is, so that a failure can be repeated. */
export function sayTurn(): void {
  console.log(isWhole ? 'Every look is taken.' : `Half of the looks are taken: KASSA_PAGES_TURN=${turn}`)
}

/** Whether the look with this number is taken now. */
export function isTaken(at: number): boolean {
  return isWhole || (at + turn) % 2 === 0
}
