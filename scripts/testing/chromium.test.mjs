import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { chromiumProgram, chromiumVersion } from './chromium.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kassa-chromium-'))

afterAll(() => rmSync(folder, { recursive: true }))

function program(name, script) {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('chromiumProgram', () => {
  it.each([
    [['chromium', 'chromium-headless-shell'], 'chromium-headless-shell'],
    [['chromium'], 'chromium'],
    [[], 'chromium-headless-shell'],
  ])('of %j is %s', (here, chosen) => {
    expect(chromiumProgram((name) => here.includes(name))).toBe(chosen)
  })
})

describe('chromiumVersion', () => {
  it('returns what the program says, without what it complains about', () => {
    const path = program('chromium', 'echo "line 9: unexpected operator" >&2\necho "Chromium 156.0.8078.79 "')
    expect(chromiumVersion(path)).toBe('Chromium 156.0.8078.79')
  })

  it.each([
    ['is missing', join(folder, 'absent')],
    ['fails', program('broken', 'exit 3')],
  ])('fails no run where the program %s', (_case, path) => {
    expect(chromiumVersion(path)).toContain('does not say its version')
  })
})
