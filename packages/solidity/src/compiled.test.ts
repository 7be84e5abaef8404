import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../scripts/compile.ts'

const GENERATED = join(import.meta.dirname, 'generated')

/** The compiler runs as one thread for some seconds; a busy machine gets plenty more. */
const COMPILED_MS = 240_000

describe('solidity.compile', () => {
  it('gives exactly the committed files', { timeout: COMPILED_MS }, () => {
    const committed = new Map(readdirSync(GENERATED).map((name) => [name, readFileSync(join(GENERATED, name), 'utf8')]))
    expect(compile()).toEqual(committed)
  })
})
