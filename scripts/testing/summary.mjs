/** Returns the closing lines of `npm test`: what took how long, in which browser, every failure by name, and the sums. */
export function summaryOf(results) {
  const failures = results.flatMap((result) => result.failures.map((failure) => `${failure} (${result.name})`))
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  return [
    '\n── what took how long',
    ...results.flatMap(timesOf),
    ...results.flatMap(({ name, browser }) => (browser === undefined ? [] : [`\nBrowser of the ${name}: ${browser}`])),
    ...(failures.length > 0 ? [`\n── what failed\n${failures.join('\n')}`] : []),
    `\n${passed} passed, ${failures.length} failed`,
  ]
}

function timesOf({ name, seconds, slowest = [] }) {
  return [
    `${String(seconds).padStart(5)} s  ${name}`,
    ...slowest.map((file) => `${String(file.seconds).padStart(12)} s  ${file.name}`),
  ]
}
