import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CORPUS, FAKE_CLASSES, TRON_CORPUS } from './classes.ts'
import { chainFakes, executionFakes } from './execution-fakes.ts'
import { tokenFakes } from './token-fakes.ts'
import { tronFakes } from './tron-fakes.ts'

const root = new URL('../../../../../', import.meta.url)
const forged = Object.keys({ ...tokenFakes, ...executionFakes, ...chainFakes })

describe('fakes.classes', () => {
  it('lists every class of the families ETH and TRX', () => {
    const ids = FAKE_CLASSES.map(({ id }) => id)
    expect(ids.filter((id) => id.startsWith('E'))).toEqual(Array.from({ length: 34 }, (_, at) => `E${at + 1}`))
    expect(ids.filter((id) => id.startsWith('T'))).toEqual(Array.from({ length: 15 }, (_, at) => `T${at + 1}`))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('forges every class whose test is the corpus, and no other', () => {
    const inCorpus = FAKE_CLASSES.filter(({ test }) => test === CORPUS).map(({ id }) => id)
    expect(forged.toSorted()).toEqual(inCorpus.toSorted())
  })

  const named = FAKE_CLASSES.filter(({ id, test }) => test !== CORPUS && !(test === TRON_CORPUS && id in tronFakes))
  it.each(named)('$id has a test of its name', ({ id, test }) => {
    const text = readFileSync(new URL(test, root), 'utf8')
    expect(text).toMatch(new RegExp(`(it|describe)\\('[^']*\\b${id}\\b`))
  })
})
