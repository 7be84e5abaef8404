import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { affectedBy, compareVersions, lockedPackages } from './match.ts'
import { readAdvisories } from './read-advisories.ts'

const ROOT = join(import.meta.dirname, '..', '..')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-advisories-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const osv = (id: string, name: string, affected: object, more: object = {}) => ({
  id,
  summary: `${name} is broken`,
  affected: [{ package: { ecosystem: 'npm', name }, ...affected }],
  ...more,
})
const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] })

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function run(...args: string[]): { code: number | null; text: string } {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/advisories.ts'), ...args], {
    encoding: 'utf8',
  })
  return { code: status, text: stdout }
}

describe('npm run advisories', () => {
  it('names an affected package, what fixes it, and fails', () => {
    const { version } = (
      JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { version: string }>
      }
    ).packages['node_modules/fastify'] ?? { version: '' }
    const planted = osv('GHSA-test', 'fastify', range({ introduced: '0' }, { fixed: '999.0.0' }), {
      aliases: ['CVE-2026-1'],
    })
    const { code, text } = run(write('osv.json', JSON.stringify([planted])))
    expect(code).toBe(1)
    expect(text).toContain(`fastify ${version}  GHSA-test, CVE-2026-1  fastify is broken\n  fixed in 999.0.0\n`)
    expect(text).toMatch(/\d{3,} packages, 1 advisories, 1 affected/)
  })

  it('passes when nothing is affected, and says when it cannot read', () => {
    const harmless = osv('GHSA-x', 'fastify', range({ introduced: '0' }, { fixed: '0.0.1' }))
    expect(run(write('osv.json', JSON.stringify(harmless)))).toMatchObject({ code: 0 })
    expect(run(write('bad.json', '<html>'))).toMatchObject({
      code: 2,
      text: expect.stringContaining('is not JSON (line 1)'),
    })
    expect(run(write('other.json', '[{"name":"fastify"}]'))).toMatchObject({
      code: 2,
      text: expect.stringContaining('has no id'),
    })
    expect(run(join(folder, 'missing.json'))).toMatchObject({
      code: 2,
      text: expect.stringContaining('cannot be read'),
    })
    expect(run()).toMatchObject({ code: 2 })
  })
})

describe('readAdvisories', () => {
  it('reads a list, an answer of the service, lines and a folder, of npm only and without withdrawn ones', () => {
    const [a, b] = [osv('A', 'a', {}), osv('B', 'b', {})]
    const gone = osv('C', 'c', {}, { withdrawn: '2026-01-01T00:00:00Z' })
    const rust = { id: 'R', affected: [{ package: { ecosystem: 'crates.io', name: 'a' } }] }
    const ids = (path: string) => readAdvisories(path).map(({ id }) => id)
    expect(ids(write('1.json', JSON.stringify([a, gone, rust, b])))).toEqual(['A', 'B'])
    expect(ids(write('2.json', JSON.stringify({ vulns: [a, b] })))).toEqual(['A', 'B'])
    expect(ids(write('3.jsonl', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`))).toEqual(['A', 'B'])
    mkdirSync(join(folder, 'all'))
    for (const one of [a, b]) write(`all/${one.id}.json`, JSON.stringify(one))
    expect(ids(join(folder, 'all')).toSorted()).toEqual(['A', 'B'])
  })
})

describe('affectedBy', () => {
  const affects = (version: string, affected: object) =>
    affectedBy([{ name: 'a', version }], readAdvisories(write('one.json', JSON.stringify(osv('A', 'a', affected)))))
      .length === 1

  it('follows ranges from introduced to fixed or last affected, several of them', () => {
    const twice = range(
      { introduced: '1.2.0' },
      { fixed: '1.4.1' },
      { introduced: '2.0.0' },
      { last_affected: '2.3.0' },
    )
    const versions = ['1.1.9', '1.2.0', '1.4.0', '1.4.1', '1.10.0', '2.0.0-rc.1', '2.0.0', '2.3.0', '2.3.1']
    expect(versions.filter((version) => affects(version, twice))).toEqual(['1.2.0', '1.4.0', '2.0.0', '2.3.0'])
  })

  it('takes versions by name, every version where none is named, and no commit for a version', () => {
    expect(affects('1.0.0', { versions: ['1.0.0'] })).toBe(true)
    expect(affects('1.0.1', { versions: ['1.0.0'] })).toBe(false)
    expect(affects('7.7.7', {})).toBe(true)
    expect(affects('0.0.0-0', range({ introduced: '0' }))).toBe(true)
    expect(affects('1.0.0', { versions: ['9.9.9'], ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] })).toBe(
      false,
    )
  })
})

describe('compareVersions', () => {
  it('orders as Semantic Versioning does', () => {
    const ordered = [
      '0',
      '0.0.1',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ]
    expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered)
    expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0)
  })
})

describe('lockedPackages', () => {
  it('lists what is installed once, by its own name, and no workspace', () => {
    const packages = {
      '': { name: 'kassa', version: '0.1.0' },
      'apps/server': { name: '@kassa/server', version: '0.1.0' },
      'node_modules/@kassa/server': { link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b/node_modules/a': { version: '1.0.0' },
      'node_modules/b/node_modules/@s/c': { version: '2.0.0' },
      'node_modules/alias': { name: 'real', version: '3.0.0' },
    }
    expect(lockedPackages(JSON.stringify({ packages }))).toEqual([
      { name: '@s/c', version: '2.0.0' },
      { name: 'a', version: '1.0.0' },
      { name: 'real', version: '3.0.0' },
    ])
  })
})
