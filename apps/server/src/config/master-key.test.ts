import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { type Environment, readEnvironment, SettingError } from './config.ts'
import { findMasterKey, masterKeyPlace } from './master-key.ts'

const KEY = Buffer.alloc(32, 7)
const folders: string[] = []
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kassa-key-'))
  folders.push(home)
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const environment = (more: Partial<Environment> = {}): Environment => ({ ...readEnvironment({}), home, ...more })
const keyFile = (content: string, mode: number): string => {
  const path = join(home, 'key')
  // A file of an earlier test may be closed to its owner, who may still remove it.
  rmSync(path, { force: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

describe('config.findMasterKey', () => {
  it('reads the variable as hex or base64', () => {
    for (const masterKeyText of [KEY.toString('hex'), KEY.toString('hex').toUpperCase(), KEY.toString('base64')]) {
      expect(findMasterKey(environment({ masterKeyText }))).toEqual(KEY)
    }
  })

  it('refuses a key of another size or form, and does not repeat it', () => {
    for (const masterKeyText of [
      'hunter2',
      KEY.subarray(1).toString('hex'),
      `${KEY.toString('hex')}00`,
      'ü'.repeat(43),
    ]) {
      const find = () => findMasterKey(environment({ masterKeyText }))
      expect(find).toThrow(new SettingError('KASSA_MASTER_KEY does not hold 32 bytes as hex or base64.'))
    }
  })

  it('reads a file that only its owner may read', () => {
    for (const mode of [0o400, 0o600]) {
      expect(findMasterKey(environment({ masterKeyFile: keyFile(`${KEY.toString('hex')}\n`, mode) }))).toEqual(KEY)
      rmSync(join(home, 'key'))
    }
  })

  it('refuses a file that others may read, and says what to do', () => {
    for (const mode of [0o440, 0o404, 0o644, 0o620]) {
      const path = keyFile(KEY.toString('hex'), mode)
      const sentence = `Others may read ${path}. Run: chmod 0400 ${path}`
      expect(() => findMasterKey(environment({ masterKeyFile: path }))).toThrow(new SettingError(sentence))
    }
  })

  it('refuses a file that is missing or holds something else', () => {
    const missing = join(home, 'none')
    expect(() => findMasterKey(environment({ masterKeyFile: missing }))).toThrow(
      new SettingError(`KASSA_MASTER_KEY_FILE cannot be read at ${missing}.`),
    )
    const path = keyFile('short', 0o400)
    expect(() => findMasterKey(environment({ masterKeyFile: path }))).toThrow(
      new SettingError(`${path} does not hold 32 bytes as hex or base64.`),
    )
  })

  it('makes one in the sandbox, once, for the owner alone', () => {
    const made = findMasterKey(environment())
    expect(made).toHaveLength(32)
    expect(findMasterKey(environment())).toEqual(made)
    const path = join(home, 'master.key')
    expect(statSync(path).mode & 0o777).toBe(0o400)
    expect(readFileSync(path, 'utf8')).toBe(`${made.toString('hex')}\n`)
  })

  it('refuses a file in the data folder on mainnet, by whatever path, and says what to do', () => {
    const inside = keyFile(KEY.toString('hex'), 0o400)
    const elsewhere = mkdtempSync(join(tmpdir(), 'kassa-key-'))
    folders.push(elsewhere)
    symlinkSync(inside, join(elsewhere, 'link'))
    for (const masterKeyFile of [inside, join(elsewhere, 'link')]) {
      const find = () => findMasterKey(environment({ network: 'mainnet', masterKeyFile }))
      expect(find).toThrow(SettingError)
      expect(find).toThrow('move the file, and name its new place in KASSA_MASTER_KEY_FILE')
      expect(findMasterKey(environment({ network: 'testnet', masterKeyFile }))).toEqual(KEY)
    }
    const place = { network: 'mainnet', masterKeyFile: join(home, 'new.key') } as const
    expect(() => masterKeyPlace(environment(place))).toThrow('On mainnet it must lie elsewhere')
    const outside = join(elsewhere, 'key')
    writeFileSync(outside, KEY.toString('hex'), { mode: 0o400 })
    expect(findMasterKey(environment({ network: 'mainnet', masterKeyFile: outside }))).toEqual(KEY)
  })

  it('makes none where money is real', () => {
    for (const network of ['testnet', 'mainnet'] as const) {
      expect(() => findMasterKey(environment({ network }))).toThrow(
        /^KASSA_MASTER_KEY or KASSA_MASTER_KEY_FILE is required on/,
      )
    }
  })
})
