/** Several processes of one install: two of each role, and one that runs the local chains. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Plot } from '../house.ts'
import { plotBeside, type Seat, takeSeat } from './seat.ts'

export type Fleet = {
  /** The folder that holds every process's own. */
  readonly folder: string
  /** Runs the local chains, and answers. */
  readonly chains: { readonly seat: Seat; readonly plot: Plot }
  readonly apis: readonly [Seat, Seat]
  readonly workers: readonly [Seat, Seat]
  readonly watchers: readonly [Seat, Seat]
}

export type Databases = { readonly url: string; readonly directUrl: string }

/** Places for seven processes on one database; nothing runs yet. */
export async function planFleet(plot: Plot, { url, directUrl }: Databases): Promise<Fleet> {
  const shared = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    KASSA_MASTER_KEY: randomBytes(32).toString('hex'),
    KASSA_SITE_URL: `http://localhost:${plot.port}`,
  }
  const seat = async (name: string, roles: string) => {
    const own = await plotBeside(plot, name)
    return { plot: own, seat: takeSeat({ name, plot: own, settings: { ...shared, KASSA_ROLES: roles } }) }
  }
  const two = async (role: string) =>
    [(await seat(`${role}-1`, role)).seat, (await seat(`${role}-2`, role)).seat] as const
  return {
    folder: dirname(plot.home),
    chains: await seat('chains', 'chains,api'),
    apis: await two('api'),
    workers: await two('worker'),
    watchers: await two('watcher'),
  }
}

/** Starts the chains first, since the others read their blocks, then all the rest at once. */
export async function startFleet(fleet: Fleet): Promise<void> {
  await fleet.chains.seat.start()
  await Promise.all(mortals(fleet).map((seat) => seat.start()))
}

/** Those of whom any may die at any time. */
export function mortals({ apis, workers, watchers }: Fleet): readonly [Seat, ...Seat[]] {
  return [...apis, ...workers, ...watchers]
}

/** Ends every process; those that watch first, so that none misses its chain. */
export async function stopFleet(fleet: Fleet): Promise<void> {
  await Promise.all(mortals(fleet).map((seat) => seat.stop()))
  await fleet.chains.seat.stop()
  await fleet.chains.seat.killEverything()
}

/** The seat whose process holds the open connection from this port of loopback (proc(5): net/tcp, fd). */
export function ownerOf(port: number, seats: readonly Seat[]): Seat | undefined {
  const inode = inodeOf(port)
  return inode === undefined ? undefined : seats.find((seat) => holds(seat.pid(), `socket:[${inode}]`))
}

function inodeOf(port: number): string | undefined {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (fields[1]?.endsWith(ending)) return fields[9]
    }
  }
  return undefined
}

function holds(pid: number, name: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === name)
  } catch {
    return false
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
