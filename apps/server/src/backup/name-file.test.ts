import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { nameFile, removeAbandoned } from './name-file.ts'
import { BackupRefused } from './refused.ts'

vi.mock('node:fs', { spy: true })

let folder: string
const at = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-name-'))
  writeFileSync(at('.unfinished'), 'all of it')
})
afterEach(() => {
  vi.mocked(linkSync).mockReset()
  vi.mocked(renameSync).mockReset()
  rmSync(folder, { recursive: true })
})

/** As exFAT, and shares over SMB. */
const withoutLinks = () =>
  vi.mocked(linkSync).mockImplementation(() => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })
  })

describe.each([
  ['with hard links', () => undefined],
  ['without hard links', withoutLinks],
])('backup.nameFile on a file system %s', (_kind, prepare) => {
  it('gives the file its name', async () => {
    prepare()
    await nameFile(at('.unfinished'), at('a.kassa'))
    expect(readFileSync(at('a.kassa'), 'utf8')).toBe('all of it')
  })

  it('replaces no file that was created meanwhile', async () => {
    prepare()
    writeFileSync(at('a.kassa'), 'another')
    await expect(nameFile(at('.unfinished'), at('a.kassa'))).rejects.toThrow(BackupRefused)
    expect(readFileSync(at('a.kassa'), 'utf8')).toBe('another')
    expect(readdirSync(folder).toSorted()).toEqual(['.unfinished', 'a.kassa'])
  })
})

describe('backup.nameFile on a share that fails', () => {
  it.each([
    ['leaves no empty file behind', () => undefined, ['.unfinished']],
    [
      'keeps what the share has moved although it said otherwise',
      () => writeFileSync(at('a.kassa'), 'all of it'),
      ['.unfinished', 'a.kassa'],
    ],
  ])('%s', async (_what, move, left) => {
    withoutLinks()
    vi.mocked(renameSync).mockImplementation(() => {
      move()
      throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' })
    })
    await expect(nameFile(at('.unfinished'), at('a.kassa'))).rejects.toThrow('EIO')
    expect(readdirSync(folder).toSorted()).toEqual(left)
  })
})

describe('backup.removeAbandoned', () => {
  it('removes what killed backups left, and nothing that grows or is of others', () => {
    const now = new Date()
    const hoursAgo = new Date(now.getTime() - 2 * 3_600_000)
    for (const name of ['.a.kassa.unfinished-1', '.notes.unfinished-1', 'a.kassa', '.b.kassa.unfinished-2']) {
      writeFileSync(at(name), 'a part')
      if (!name.startsWith('.b')) utimesSync(at(name), hoursAgo, hoursAgo)
    }
    removeAbandoned(folder, now)
    expect(readdirSync(folder).toSorted()).toEqual([
      '.b.kassa.unfinished-2',
      '.notes.unfinished-1',
      '.unfinished',
      'a.kassa',
    ])
  })
})
