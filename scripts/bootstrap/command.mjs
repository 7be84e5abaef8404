import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'

/** Why a command of the project cannot go on: its message is for the person who ran it, who needs no stack trace. */
export class CommandError extends Error {}

/** Prints what is being done; the reader should never wonder whether it still works. */
export function say(line) {
  console.log(line)
}

/** How long a silent step may take before it says that it still works. */
const stillWorkingEveryMs = 10_000

/**
 * Runs a program without showing its output, but says every ten seconds that it still works.
 * @throws CommandError with the end of the output when the program fails.
 */
export async function runQuietly({ title, command, args, cwd, env = process.env }) {
  const started = Date.now()
  const ticking = setInterval(() => say(`  still at it, ${seconds(started)} s`), stillWorkingEveryMs)
  try {
    const { code, output } = await run(command, args, { cwd, env: { ...env, NO_COLOR: '1' } })
    if (code !== 0) throw new CommandError(`${title} failed:\n${lastLines(output)}`)
  } finally {
    clearInterval(ticking)
  }
}

/** Runs a program in this terminal and returns its exit code. */
export function runShown(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** The search path without this project's own programs: npm must not run on a Node that it is about to replace. */
export function systemPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter)
}

/** Runs the command's work; a refusal is printed as a sentence, and any failure ends with exit code 1. */
export async function finish(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error)
    process.exitCode = 1
  }
}

function run(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (chunk) => (output = (output + chunk).slice(-20_000))
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => {
      reject(new CommandError(`The program ${command} could not be run: ${error.message}`, { cause: error }))
    })
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

function lastLines(output) {
  return output.trim().split('\n').slice(-40).join('\n')
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000)
}
