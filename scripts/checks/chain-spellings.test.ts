import { describe, expect, it } from 'vitest'
import { checkChainSpellings } from './chain-spellings.ts'
import { inPlantedTree } from './planted-tree.ts'

const file = 'apps/server/src/modules/deposits/list-deposits.ts'

async function ask(code: string, path = file) {
  const { findings } = await inPlantedTree({ [path]: `\n${code}\n` }, checkChainSpellings)
  return findings.map((one) => `${one.file}:${one.line ?? ''} ${/case of (\w+)/.exec(one.message)?.[1]}`)
}

describe('spellings of chains', () => {
  it.each([
    ['address', 'address.toLowerCase()'],
    ['address', 'quote.address?.toLowerCase()'],
    ['depositAddress', 'depositAddress.trim().toUpperCase()'],
    ['txHash', 'query.txHash?.trim().toLowerCase()'],
    ['txId', 'String(txId).toLowerCase()'],
    ['contract', 'contract.toLocaleLowerCase()'],
    ['to', 'to.toLowerCase()'],
    ['from_address', 'sql`lower(deposit.from_address) = 1`'],
    ['tx_id', 'sql`UPPER(tx_id)`'],
  ])('are not folded where the family is unknown: %s in %s', async (name, code) => {
    expect(await ask(code)).toEqual([`${file}:2 ${name}`])
  })

  it.each([
    'email.toLowerCase()',
    'word.toLowerCase()',
    'context.toLowerCase()',
    'sql`lower(customer.email)`',
    '// address.toLowerCase()',
  ])('leave other texts alone: %s', async (code) => {
    expect(await ask(code)).toEqual([])
  })

  it.each([
    'packages/chains/src/evm/blocks/transfers.ts',
    'packages/keys/src/address-case.ts',
    `${file.slice(0, -3)}.test.ts`,
  ])('are the business of %s', async (path) => {
    expect(await ask('address.toLowerCase()', path)).toEqual([])
  })
})
