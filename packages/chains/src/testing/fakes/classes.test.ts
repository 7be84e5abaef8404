import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bitcoinFakes } from './bitcoin/transactions.ts'
import { BITCOIN_CORPUS, CORPUS, FAKE_CLASSES, SOLANA_CORPUS, TRON_CORPUS } from './classes.ts'
import { chainFakes, executionFakes } from './execution-fakes.ts'
import { solanaFakes } from './solana/transactions.ts'
import { tokenFakes } from './token-fakes.ts'
import { tronFakes } from './tron/transactions.ts'

const root = new URL('../../../../../', import.meta.url)
const forged = Object.keys({ ...tokenFakes, ...executionFakes, ...chainFakes })

describe('fakes.classes', () => {
  it('lists every class of every family', () => {
    const ids = FAKE_CLASSES.map(({ id }) => id)
    for (const [letter, length] of Object.entries({ E: 34, T: 18, B: 17, S: 12, X: 12 })) {
      expect(ids.filter((id) => id.startsWith(letter))).toEqual(Array.from({ length }, (_, at) => `${letter}${at + 1}`))
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('forges every class whose test is the corpus, and no other', () => {
    const inCorpus = FAKE_CLASSES.filter(({ test }) => test === CORPUS).map(({ id }) => id)
    expect(forged.toSorted()).toEqual(inCorpus.toSorted())
  })

  const byName: Readonly<Record<string, object>> = {
    [CORPUS]: { ...tokenFakes, ...executionFakes, ...chainFakes },
    [TRON_CORPUS]: tronFakes,
    [BITCOIN_CORPUS]: bitcoinFakes,
    [SOLANA_CORPUS]: solanaFakes,
  }
  const named = FAKE_CLASSES.filter(({ id, test }) => !(id in (byName[test] ?? {})))
  it.each(named)('$id has a test of its name', ({ id, test }) => {
    const text = readFileSync(new URL(test, root), 'utf8')
    expect(text).toMatch(new RegExp(`(it|describe)\\('[^']*\\b${id}\\b`))
  })
})
