import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { commitOf } from './commit.mjs'

const folders = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-commit-'))
  folders.push(folder)
  return folder
}

function newRepository() {
  const folder = newFolder()
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example']
  writeFileSync(join(folder, 'file.txt'), 'first')
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...who, 'commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd: folder })
  return folder
}

describe('commitOf', () => {
  it('names the commit, and says when files differ from it', () => {
    const folder = newRepository()
    const commit = commitOf(folder)
    expect(commit).toMatch(/^[0-9a-f]{12}$/)
    writeFileSync(join(folder, 'build.log'), 'not of the sources')
    expect(commitOf(folder)).toBe(commit)
    writeFileSync(join(folder, 'file.txt'), 'second')
    expect(commitOf(folder)).toBe(`${commit}+`)
  })

  it('names none of a folder without a repository, nor that of the repository around it', () => {
    expect(commitOf(newFolder())).toBeNull()
    const inside = join(newRepository(), 'kassa')
    mkdirSync(inside)
    expect(commitOf(inside)).toBeNull()
  })
})
