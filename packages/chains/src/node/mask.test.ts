import { describe, expect, it } from 'vitest'
import { maskUrl } from './mask.ts'

describe('node.mask', () => {
  it.each([
    ['http://localhost:8545', 'http://localhost:8545'],
    ['https://mainnet.base.org/', 'https://mainnet.base.org'],
    ['https://eth.example/v2/aBcDeFgHiJkLmNoP', 'https://eth.example/v2/•••'],
    ['https://eth.example/rpc?apikey=1', 'https://eth.example/rpc?•••'],
    ['https://user:word@eth.example/', 'https://•••@eth.example'],
    ['not a url with a secret', '•••'],
  ])('prints %s as %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked)
  })
})
