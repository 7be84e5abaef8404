import { describe, expect, it } from 'vitest'

import { addressGroups } from './address-groups.ts'

describe('addressGroups', () => {
  it.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TR7NHq jeKQ xGTC i8q8 ZY4p L8ot Szgj Lj6t'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'bc1qar 0srr r7xf kvy5 l643 lydn w9re 59gt zzwf 5mdq'],
    ['0x5', '0x5'],
    ['', ''],
  ])('ends %s in the four characters that its short form ends in', (address, grouped) => {
    expect(addressGroups(address).join(' ')).toBe(grouped)
    expect(addressGroups(address).join('')).toBe(address)
  })
})
