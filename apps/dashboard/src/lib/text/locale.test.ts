import { i18n } from '@lingui/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { keepLocale, startLocale } from './locale.ts'
import { readStored, writeStored } from '../device/stored.ts'

const catalogue = (answer: () => Promise<Response>) => vi.spyOn(window, 'fetch').mockImplementation(answer)

beforeEach(() => {
  document.documentElement.lang = 'en'
  document.documentElement.dir = 'ltr'
})

afterEach(() => {
  writeStored('locale', undefined)
  i18n.loadAndActivate({ locale: 'en', messages: {} })
})

describe('startLocale', () => {
  it('asks for no catalogue when none is chosen', async () => {
    const fetched = catalogue(async () => Response.json({}))
    await startLocale()
    expect(fetched).not.toHaveBeenCalled()
    expect(i18n.locale).toBe('en')
  })

  it('takes the catalogue of the chosen language, and its direction', async () => {
    catalogue(async () => Response.json({ save: ['Sichern'] }))
    writeStored('locale', 'ar-XB')
    await startLocale()
    expect(i18n._('save')).toBe('Sichern')
    expect(document.documentElement).toMatchObject({ lang: 'ar-XB', dir: 'rtl' })
  })

  it.each([
    ['is not there', async () => new Response('', { status: 404 })],
    ['is no catalogue', async () => new Response('<html>')],
    ['cannot be fetched', async () => Promise.reject(new TypeError('offline'))],
  ])('stays with English when it %s', async (_case, answer) => {
    catalogue(answer)
    writeStored('locale', 'de')
    await startLocale()
    expect(i18n.locale).toBe('en')
    expect(document.documentElement.lang).toBe('en')
  })

  it.each(['../v1/me', 'de_DE', 'a?b', ''])('requests nothing for %j, which is no language', async (text) => {
    const fetched = catalogue(async () => Response.json({}))
    writeStored('locale', text)
    await startLocale()
    expect(fetched).not.toHaveBeenCalled()
    expect(i18n.locale).toBe('en')
  })
})

describe('keepLocale', () => {
  it('brings the language of the account to this device, for its next start', async () => {
    keepLocale('ar-XB')
    catalogue(async () => Response.json({ save: ['Sichern'] }))
    await startLocale()
    expect(i18n.locale).toBe('ar-XB')
    keepLocale(null)
    keepLocale('../v1/me')
    expect(readStored('locale')).toBe('ar-XB')
  })
})
