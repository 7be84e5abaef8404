import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { checkPort, claimInstance } from './instance.ts'
import { startedAt } from './processes.ts'
import { StartError } from './start-error.ts'

const url = 'http://localhost:8080'

describe('claimInstance', () => {
  let home: string
  let other: ChildProcess | undefined

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'kassa-instance-'))
  })
  afterEach(() => {
    other?.kill('SIGKILL')
    rmSync(home, { recursive: true })
  })

  function held(by: { pid: number; startedAt: string }): void {
    writeFileSync(join(home, 'instance.json'), JSON.stringify({ ...by, url: 'http://localhost:9999' }))
  }

  function spawnOther(): number {
    other = spawn('sleep', ['30'])
    if (!other.pid) throw new Error('sleep did not start')
    return other.pid
  }

  it('creates the folder, claims it and leaves nothing behind when released', () => {
    const instance = claimInstance({ home: join(home, 'a/b'), url })
    expect(instance).toMatchObject({ kind: 'mine' })
    expect(readdirSync(join(home, 'a/b'))).toEqual(['instance.json'])
    if (instance.kind === 'mine') instance.release()
    expect(readdirSync(join(home, 'a/b'))).toEqual([])
  })

  it('names the address of the Kassa that runs already', () => {
    const pid = spawnOther()
    held({ pid, startedAt: startedAt(pid) })
    expect(claimInstance({ home, url })).toEqual({ kind: 'running', url: 'http://localhost:9999' })
  })

  it('replaces the claim of a killed process', async () => {
    const pid = spawnOther()
    held({ pid, startedAt: startedAt(pid) })
    other?.kill('SIGKILL')
    if (other) await once(other, 'exit')
    expect(claimInstance({ home, url }).kind).toBe('mine')
    expect(JSON.parse(readFileSync(join(home, 'instance.json'), 'utf8'))).toMatchObject({ pid: process.pid, url })
  })

  it('replaces the claim of a process whose id another one has now', () => {
    held({ pid: spawnOther(), startedAt: '1' })
    expect(claimInstance({ home, url }).kind).toBe('mine')
  })

  it('replaces a claim that a crash left unreadable', () => {
    writeFileSync(join(home, 'instance.json'), '{"pid":')
    expect(claimInstance({ home, url }).kind).toBe('mine')
    expect(readdirSync(home)).toEqual(['instance.json'])
  })

  it('does not release a claim that became another process’s', () => {
    const instance = claimInstance({ home, url })
    const pid = spawnOther()
    held({ pid, startedAt: startedAt(pid) })
    if (instance.kind === 'mine') instance.release()
    expect(existsSync(join(home, 'instance.json'))).toBe(true)
  })

  it('says in a sentence that the folder cannot be written', () => {
    writeFileSync(join(home, 'file'), '')
    expect(() => claimInstance({ home: join(home, 'file/home'), url })).toThrow(StartError)
    expect(() => claimInstance({ home: join(home, 'file/home'), url })).toThrow(
      /cannot write to its data folder .*part of its path is a file/,
    )
  })
})

describe('checkPort', () => {
  it('says in a sentence that the port is taken, and which to try', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(checkPort({ port, bind: '127.0.0.1' })).rejects.toThrow(`PORT=${port + 1} npm start`)
    server.close()
    await once(server, 'close')
    await expect(checkPort({ port, bind: '127.0.0.1' })).resolves.toBeUndefined()
  })

  it('says in a sentence that the machine has no such address', async () => {
    await expect(checkPort({ port: 0, bind: '203.0.113.1' })).rejects.toThrow(StartError)
  })
})
