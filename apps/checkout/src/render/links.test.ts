import { describe, expect, it } from 'vitest'

import { mailLink, originOf, ownPicture, walletLink, webLink } from './links.ts'

describe('links', () => {
  it('takes the first plain web address', () => {
    expect(webLink('javascript:alert(1)', null, 'data:text/html,x', '//evil', 'https://acme.example/')).toBe(
      'https://acme.example/',
    )
    expect(webLink('https://user:pass@acme.example/')).toBeNull()
    expect(webLink('')).toBeNull()
  })

  it('takes wallet links of our schemes only', () => {
    expect(walletLink('bitcoin:bc1q?amount=1')).toBe('bitcoin:bc1q?amount=1')
    expect(walletLink('javascript:alert(1)')).toBeNull()
    expect(walletLink('bitcoin:bc1q onclick')).toBeNull()
    expect(walletLink(null)).toBeNull()
  })

  it('fills a mail in without letting fields add headers', () => {
    expect(mailLink('a@b.example', 'x&cc=evil@e.example', 'line\r\nline')).toBe(
      'mailto:a@b.example?subject=x%26cc%3Devil%40e.example&body=line%0D%0Aline',
    )
    expect(mailLink('a@b.example?bcc=x', 's', 'b')).not.toContain('?bcc')
    expect(mailLink('not an address', 's', 'b')).toBeNull()
  })

  it('shows pictures of our own origin only', () => {
    expect(ownPicture('/uploads/a.png', 'https://pay.example')).toBe('/uploads/a.png')
    expect(ownPicture('https://pay.example/uploads/a.png', 'https://pay.example')).toBe('/uploads/a.png')
    expect(ownPicture('https://evil.example/a.png', 'https://pay.example')).toBeNull()
    expect(ownPicture('//evil.example/a.png', 'https://pay.example')).toBeNull()
    expect(ownPicture('', 'https://pay.example')).toBeNull()
  })

  it('names an origin', () => {
    expect([originOf('https://acme.example/a?b'), originOf(null)]).toEqual(['https://acme.example', null])
  })
})
