import { CHECKOUT_LANGUAGES } from '@kassa/contract/projects/checkout-options.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { DIAGNOSIS_VERDICTS } from '@kassa/contract/payments/diagnosis.ts'
import { OPTION_OBSTACLES, REPAIR_KINDS } from '@kassa/contract/payments/schemas.ts'
import { FEE_LEVELS } from '@kassa/primitives/chains/blockchain.ts'
import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../../testing/document.ts'
import { LONG_ENGLISH, MIRRORED } from '../../testing/pseudo.ts'
import { SAMPLES } from '../../testing/samples.ts'
import { VARIANTS } from '../../testing/variants.ts'
import { factsOf, parseMessage } from './icu.ts'
import type { Piece } from './icu.ts'
import { chooseLanguage, ENGLISH, LANGUAGES } from './languages.ts'
import { renderCheckout } from '../page.ts'
import { renderReceipt } from '../receipt.ts'
import { WALLET_TEXTS } from '../panels/wallet.ts'
import { translatorOf } from './translator.ts'

const HERE = `${import.meta.dirname}/..`
const others = LANGUAGES.filter(({ code }) => code !== 'en')

/** Texts the specification fixes letter by letter. */
const SPECIFIED = {
  'spec.amountCopied': 'Amount Copied!',
  'spec.amountNotCopied': 'Failed to copy amount',
  'spec.addressCopied': 'Address Copied!',
  'spec.addressNotCopied': 'Failed to copy address',
}

/** Keys the code puts together: a state, a verdict, a code and what is said of it. */
const BUILT = [
  ...Object.keys(SAMPLES).flatMap((state) => ['title', 'body', 'status'].map((part) => `${state}.${part}`)),
  ...DIAGNOSIS_VERDICTS.flatMap((verdict) => [`verdict.${verdict}.title`, `verdict.${verdict}.text`]),
  ...REPAIR_KINDS.map((kind) => `repair.${kind}`),
  ...OPTION_OBSTACLES.map((obstacle) => `obstacle.${obstacle}`),
  ...WALLET_TEXTS.map((name) => `wallet.${name}`),
  ...['system', 'light', 'dark'].map((theme) => `theme.${theme}`),
  ...FEE_LEVELS.map((level) => `terms.${level}`),
]

function sources(folder: string): string {
  return readdirSync(`${HERE}/../${folder}`, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${HERE}/../${folder}/${name}`, 'utf8'))
    .join('\n')
}

function pluralsOf(pieces: readonly Piece[]): string[][] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string' || !('plural' in piece)) return []
    return [Object.keys(piece.cases), ...Object.values(piece.cases).flatMap(pluralsOf)]
  })
}

describe('catalogues', () => {
  it('keep the texts of the specification letter by letter', () => {
    expect(ENGLISH.texts).toMatchObject(SPECIFIED)
    expect(Object.keys(ENGLISH.texts).filter((key) => key.startsWith('spec.'))).toEqual(Object.keys(SPECIFIED))
  })

  it('are there in twenty-one languages, three of them from right to left', () => {
    expect(LANGUAGES).toHaveLength(21)
    expect(LANGUAGES.filter(({ dir }) => dir === 'rtl').map(({ code }) => code)).toEqual(['ar', 'he', 'fa'])
    expect(readdirSync(`${HERE}/../locales`)).toHaveLength(LANGUAGES.length)
  })

  it('have every text that is used, and no other', () => {
    const code = sources('render')
    const named = new Set([...code.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)*)'/g)].map(([, name = '']) => name))
    const refusals = Object.keys(ENGLISH.texts).filter((key) => key.startsWith('refused.'))
    const used = new Set([...named, ...BUILT, ...refusals])
    expect(Object.keys(ENGLISH.texts).filter((key) => !used.has(key))).toEqual([])
    const said = [...code.matchAll(/translator\.(?:say|text)\(\s*'([^']+)'/g)].map(([, key = '']) => key)
    expect(said.filter((key) => !(key in ENGLISH.texts))).toEqual([])
  })

  it('translate only refusals that exist', () => {
    const pages = readFileSync(`${HERE}/../../../../packages/contract/src/errors.ts`, 'utf8')
    const codes = Object.keys(ENGLISH.texts).flatMap((key) => /^refused\.([A-Z_]+)$/.exec(key)?.[1] ?? [])
    expect(codes.filter((code) => !pages.includes(`${code}: {`))).toEqual([])
  })

  it.each(others.map((language) => [language.code, language] as const))(
    'say in %s all that English says, with the same facts and the plurals of the language',
    (_, { tag, texts }) => {
      expect(Object.keys(texts)).toEqual(Object.keys(ENGLISH.texts))
      const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
      for (const [key, text] of Object.entries(texts)) {
        const source = ENGLISH.texts[key as keyof typeof ENGLISH.texts]
        expect([key, text.trim()]).not.toEqual([key, ''])
        expect([key, factsOf(text)]).toEqual([key, factsOf(source)])
        // `many` of some languages is for millions only; no count here is so large.
        const needed = categories.filter((one) => one !== 'many' || !['es', 'fr', 'it', 'pt'].includes(tag))
        for (const cases of pluralsOf(parseMessage(text)))
          expect([key, cases]).toEqual([key, expect.arrayContaining(needed)])
      }
    },
  )

  it('are translated: no language has more than a few texts in common with English', () => {
    for (const { code, texts } of others) {
      const same = Object.entries(texts).filter(
        ([key, text]) => text === ENGLISH.texts[key as keyof typeof ENGLISH.texts] && /\p{L}{4}/u.test(text),
      )
      expect([code, same.length < 12, same.length < 12 ? [] : same]).toEqual([code, true, []])
    }
  })
})

describe('language', () => {
  it('is one of those that a project can choose', () => {
    expect(LANGUAGES.map(({ code }) => code)).toEqual(CHECKOUT_LANGUAGES)
  })

  it('is that of the project before that of the browser, and after that of the address', () => {
    const chosen = (asked: string | undefined, preferred: string) => chooseLanguage(asked, 'fr', preferred).code
    expect([chosen(undefined, 'de'), chosen('es', 'de'), chosen('tlh', 'de'), chosen(undefined, '')]).toEqual([
      ...['de', 'es', 'de', 'fr'],
    ])
  })

  it('is what the address asks for, then what the browser prefers, then English', () => {
    const chosen = (asked: string | undefined, accepted?: string) => chooseLanguage(asked, accepted).code
    expect(chosen('de', 'fr')).toBe('de')
    expect(chosen('tlh', 'fr-CA,fr;q=0.9')).toBe('fr')
    expect(chosen(undefined, 'tlh, en;q=0.3, pt-BR;q=0.8')).toBe('pt')
    expect(chosen(undefined, 'iw')).toBe('he')
    expect(chosen(undefined, 'zh-Hant-TW;q=0.5,en;q=0')).toBe('zh')
    expect([chosen(undefined), chosen(undefined, '*'), chosen('', ';;q=x')]).toEqual(['en', 'en', 'en'])
  })

  it('stands on the page with its direction, and is changed by plain links', () => {
    const document = parseDocument(renderCheckout({ ...SAMPLES.waiting, lang: 'ar' }).html)
    const root = document.documentElement
    expect([root.getAttribute('lang'), root.getAttribute('dir')]).toEqual(['ar', 'rtl'])
    expect(textOf(document.querySelector('#languages summary'))).toBe('اللغة AR')
    const links = [...document.querySelectorAll('#languages a')]
    expect(links).toHaveLength(LANGUAGES.length)
    const german = links.find((link) => textOf(link) === 'Deutsch')?.getAttribute('href') ?? ''
    expect(new URLSearchParams(german.split('?')[1]).get('lang')).toBe('de')
    expect(document.querySelector('#languages [aria-current]')?.getAttribute('lang')).toBe('ar')
  })

  it('is kept by every form and link of the page, and absent when none was chosen', () => {
    const document = parseDocument(renderCheckout({ ...SAMPLES.waiting, lang: 'de', theme: 'dark' }).html)
    for (const form of document.querySelectorAll('form'))
      expect(form.getAttribute('action')).toContain('&lang=de&theme=dark')
    const plain = renderCheckout({ ...SAMPLES.waiting, acceptLanguage: 'de' }).html
    expect(plain).toContain('Senden Sie genau')
    expect(parseDocument(plain).querySelector('form')?.getAttribute('action')).not.toContain('lang=')
  })

  it('leaves dollars, amounts and addresses as they are', () => {
    for (const { code } of LANGUAGES) {
      const document = parseDocument(renderCheckout({ ...SAMPLES.waiting, lang: code }).html)
      expect(textOf(document.querySelector('.bill b'))).toBe('$49.00')
      expect(textOf(document.querySelector('h1 bdi[dir=ltr]'))).toBe('49 USDC')
      expect(document.querySelector('.address')?.getAttribute('dir')).toBe('ltr')
    }
  })

  it.each(LANGUAGES.map(({ code }) => code))('draws every state in %s', (lang) => {
    for (const [name, view] of Object.entries({ ...SAMPLES, ...VARIANTS })) {
      const { html } = renderCheckout({ ...view, lang })
      expect([name, /\{\w+\}/.exec(html.replace(/data-(left|pay|facts)="[^"]*"/g, ''))]).toEqual([name, null])
    }
  })
})

describe('pseudo locales', () => {
  it.each([LONG_ENGLISH, MIRRORED])('$code shows that every word of a page is from the catalogue', (language) => {
    const translator = translatorOf(language)
    const own = /acme|usdc?|usdt|eth|btc|base|bitcoin|ethereum|polygon|dai|utc|kraken|coinbase|invoice/i
    for (const view of Object.values({ ...SAMPLES, ...VARIANTS }))
      for (const { html } of [renderCheckout({ ...view, translator }), renderReceipt({ ...view, translator })]) {
        const document = parseDocument(html)
        for (const part of document.querySelectorAll('#languages, style, svg, bdi, .name, .deposit-status, title'))
          part.remove()
        const plain = textOf(document.body).match(/\b[a-z]{4,}\b/gi) ?? []
        const strange = plain.filter((word) => /[aeioucny]/.test(word) && !own.test(word))
        expect(strange).toEqual([])
      }
  })
})
