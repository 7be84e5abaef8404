import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../scripts/compile.ts'

const GENERATED = join(import.meta.dirname, 'generated')

describe('solidity.compile', () => {
  it('gives exactly the committed files', () => {
    const committed = new Map(readdirSync(GENERATED).map((name) => [name, readFileSync(join(GENERATED, name), 'utf8')]))
    expect(compile()).toEqual(committed)
  })
})
