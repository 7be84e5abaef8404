/** Several processes of one install: two of each role, and one that runs the local chains. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Layout } from '../instance.ts'
import { layoutBeside, type Slot, takeSlot } from './slot.ts'

export type Cluster = {
  /** The folder that holds every process's own. */
  readonly folder: string
  /** Runs the local chains, and answers. */
  readonly chains: { readonly slot: Slot; readonly layout: Layout }
  readonly apis: readonly [Slot, Slot]
  readonly workers: readonly [Slot, Slot]
  readonly watchers: readonly [Slot, Slot]
  readonly senders: readonly [Slot, Slot]
}

export type Databases = {
  /** How the first and the second of each role reach it; the one that runs the chains does it as the first ones. */
  readonly urls: readonly [string, string]
  readonly directUrl: string
}

/** Places for nine processes on one database; nothing runs yet. */
export async function planCluster(layout: Layout, { urls, directUrl }: Databases): Promise<Cluster> {
  const shared = {
    DATABASE_DIRECT_URL: directUrl,
    KASSA_MASTER_KEY: randomBytes(32).toString('hex'),
    KASSA_SITE_URL: `http://localhost:${layout.port}`,
  }
  const slot = async (name: string, roles: string, url = urls[0]) => {
    const own = await layoutBeside(layout, name)
    const settings = { ...shared, DATABASE_URL: url, KASSA_ROLES: roles }
    return { layout: own, slot: takeSlot({ name, layout: own, settings }) }
  }
  const two = async (role: string) =>
    [(await slot(`${role}-1`, role)).slot, (await slot(`${role}-2`, role, urls[1])).slot] as const
  return {
    folder: dirname(layout.home),
    chains: await slot('chains', 'chains,api'),
    apis: await two('api'),
    workers: await two('worker'),
    watchers: await two('watcher'),
    senders: await two('sender'),
  }
}

/** Starts the chains first, since the others read their blocks, then all the rest at once. */
export async function startCluster(cluster: Cluster): Promise<void> {
  await cluster.chains.slot.start()
  await Promise.all(mortals(cluster).map((slot) => slot.start()))
}

/** Those of whom any may die at any time. */
export function mortals({ apis, workers, watchers, senders }: Cluster): readonly [Slot, ...Slot[]] {
  return [...apis, ...workers, ...watchers, ...senders]
}

/** Ends every process; those that watch first, so that none misses its chain. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  await Promise.all(mortals(cluster).map((slot) => slot.stop()))
  await cluster.chains.slot.stop()
  await cluster.chains.slot.killEverything()
}

/** The slot whose process holds the open connection from this port of loopback (proc(5): net/tcp, fd). */
export function ownerOf(port: number, slots: readonly Slot[]): Slot | undefined {
  const inode = inodeOf(port)
  return inode === undefined ? undefined : slots.find((slot) => holds(slot.pid(), `socket:[${inode}]`))
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
