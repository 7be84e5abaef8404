import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import { fold } from './fold.ts'

const schema = z.object({
  assetID: z.optional(z.nullable(z.int())),
  visible: z.optional(z.boolean()),
  status: z.optional(z.array(z.string())),
  name: z.optional(z.string()),
})

describe('fold', () => {
  it('names keys as the schema does, whatever their case and underscores', () => {
    expect(fold(schema, { asset_id: 3, NAME: 'a', other: 1, Name: 'b' })).toEqual({
      value: { assetID: 3, name: 'a' },
      unknown: ['other'],
      duplicate: ['Name'],
    })
  })

  it('reads numbers, booleans and lists from text, as queries and forms send them', () => {
    const { value } = fold(
      schema,
      { assetID: '12', visible: 'true', 'status[]': ['a', 'b'], name: '7' },
      { fromText: true },
    )
    expect(value).toEqual({ assetID: 12, visible: true, status: ['a', 'b'], name: '7' })
    expect(fold(schema, { status: 'a,b' }, { fromText: true }).value).toEqual({ status: ['a', 'b'] })
  })

  it('reads an empty number of a form as null, which clears', () => {
    expect(fold(schema, { assetID: '', name: '' }, { fromText: true }).value).toEqual({ assetID: null, name: '' })
    expect(fold(schema, { assetID: '' }).value).toEqual({ assetID: '' })
  })

  it('leaves text that is no number for the schema to refuse', () => {
    expect(fold(schema, { assetID: '12x' }, { fromText: true }).value).toEqual({ assetID: '12x' })
  })
})
