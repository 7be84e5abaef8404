import { describe, expect, it } from 'vitest'

import { changedAddress } from './node-secrets.ts'

const former = { url: 'https://node.example/v2', apiKey: 'k3y', authUsername: 'me', authPassword: 'pw' }
const nothing = { apiKey: '', authUsername: '', authPassword: '' }

describe('blockchains.changedAddress', () => {
  it('keeps what is absent and clears what is empty', () => {
    expect(changedAddress({ apiKey: '' }, former)).toEqual({ ...former, apiKey: '' })
    expect(changedAddress({ url: 'https://node.example/v3' }, former)).toEqual({
      ...former,
      url: 'https://node.example/v3',
    })
  })

  it.each(['https://other.example/v2', 'https://node.example:8443/v2', 'http://node.example/v2'])(
    'takes no secret along to %s',
    (url) => {
      expect(changedAddress({ url }, former)).toEqual({ ...nothing, url })
    },
  )
})
