import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, jsonCall, type NodeClient } from '../../node/client.ts'

/**
 * A node of Bitcoin in a process of its own, on a chain of its own. Litecoin Core serves where Bitcoin Core is not
 * installed: it is the same code, writes other addresses, and has scripts, transactions and blocks of the same bytes.
 */
export type BitcoinNode = {
  readonly url: string
  readonly pid: number
  readonly client: NodeClient
  readonly stop: () => Promise<void>
}

/** Programs that can serve, the better one first. */
const PROGRAMS = ['bitcoind', 'litecoind'] as const

export type BitcoinProgram = (typeof PROGRAMS)[number]

/** Known to everybody: it guards play money on this machine. */
const LOGIN = 'kassa:sandbox'

/** Ready in about 400 ms on an idle machine; a loaded one gets plenty more. */
const READY_WITHIN_MS = 30_000

/** Time to write everything down after SIGTERM, before SIGKILL. */
const STOP_WITHIN_MS = 10_000

/** The port the system gave may be taken before the node binds it; a few attempts settle that. */
const PORT_ATTEMPTS = 3

/** Finds a program on PATH; null when none is installed. */
export function findBitcoinProgram(): BitcoinProgram | null {
  return PROGRAMS.find((name) => spawnSync(name, ['-version'], { stdio: 'ignore' }).error === undefined) ?? null
}

/**
 * Starts a node that keeps its chain in a folder, and answers when it serves. One that a former process left there is
 * stopped first: two cannot share a folder.
 * @throws Error when it does not come up, with the end of its log
 */
export async function startBitcoinNode(program: BitcoinProgram, folder: string): Promise<BitcoinNode> {
  mkdirSync(folder, { recursive: true })
  await stopLeftover(folder)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(program, folder, await freePort())
    } catch (error) {
      if (attempt === PORT_ATTEMPTS) throw error
    }
  }
}

async function launch(program: BitcoinProgram, folder: string, port: number): Promise<BitcoinNode> {
  const logPath = join(folder, 'node.log')
  const log = openSync(logPath, 'w')
  const child = spawn(program, flags(program, folder, port), { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  // Before it is ready: a process that is killed meanwhile leaves a node behind that keeps the folder locked.
  if (child.pid !== undefined) writeFileSync(pidFile(folder), String(child.pid))
  const stop = () => end(child)
  const url = `http://${LOGIN}@127.0.0.1:${port}`
  const client = connect({ id: 0, url })
  try {
    const pid = await ready(child, client)
    return { url, pid, client, stop }
  } catch (error) {
    await stop()
    const tail = readFileSync(logPath, 'utf8').slice(-2_000)
    throw new Error(`${program} did not start on port ${port}: ${String(error)}\n${tail}`, { cause: error })
  }
}

/**
 * No peers, no wallet; every transaction can be found again. Litecoin's extension blocks never begin; what is dust and what
 * may be replaced is as with Bitcoin.
 */
function flags(program: BitcoinProgram, folder: string, port: number): string[] {
  const [user, password] = LOGIN.split(':')
  return [
    '-regtest',
    `-datadir=${folder}`,
    `-rpcport=${port}`,
    `-rpcuser=${user}`,
    `-rpcpassword=${password}`,
    ...['-server=1', '-listen=0', '-dnsseed=0', '-connect=0', '-disablewallet=1', '-txindex=1', '-printtoconsole=0'],
    ...['-dbcache=16', '-maxmempool=20', '-rpcthreads=2', '-par=1', '-debuglogfile=0'],
    ...(program === 'litecoind' ? ['-vbparams=mweb:0:0', '-dustrelayfee=0.00003', '-mempoolreplacement=1'] : []),
  ]
}

async function ready(child: ChildProcess, client: NodeClient): Promise<number> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const until = Date.now() + READY_WITHIN_MS
  while (Date.now() < until) {
    if (failure) throw failure
    if (hasEnded(child)) throw new Error(`it ended with code ${child.exitCode ?? child.signalCode}`)
    const answers = await client.call(jsonCall('getblockcount')).catch(() => null)
    if (child.pid && answers !== null) return child.pid
    await sleep(30)
  }
  throw new Error(`no answer within ${READY_WITHIN_MS} ms`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  await stopProcess(child.pid, () => hasEnded(child))
}

async function stopLeftover(folder: string): Promise<void> {
  if (!existsSync(pidFile(folder))) return
  const pid = Number(readFileSync(pidFile(folder), 'utf8'))
  const isOurs = () => commandOf(pid).includes(`-datadir=${folder}`)
  if (Number.isInteger(pid) && pid > 1 && isOurs()) await stopProcess(pid, () => !isOurs())
}

async function stopProcess(pid: number, hasStopped: () => boolean): Promise<void> {
  const until = Date.now() + STOP_WITHIN_MS
  if (hasStopped()) return
  process.kill(pid, 'SIGTERM')
  while (!hasStopped()) {
    if (Date.now() > until) process.kill(pid, 'SIGKILL')
    await sleep(20)
  }
}

/** The command line of a process, its words apart by blanks; empty when there is no such process. */
function commandOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout ?? ''
}

function pidFile(folder: string): string {
  return join(folder, 'node.pid')
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
