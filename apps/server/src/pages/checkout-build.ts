/** The built scripts of the payer's pages (apps/checkout/build.mjs). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const CHECKOUT_BUILD = join(import.meta.dirname, '../../../checkout/build')

type Script = 'script' | 'wallet' | 'tronWallet' | 'solanaWallet' | 'check' | 'derive' | 'promoter'

export type CheckoutBuild = {
  /** The URL of a script, which contains its hash; absent without a build, and the page works without it. */
  readonly url: (script: Script) => string
  /** A script's text, for the page it stands in. */
  readonly text: (script: Script) => string
}

/** Opens the build; its list of files and each text is read once, when it is there. */
export function checkoutBuild(): CheckoutBuild {
  let manifest: Readonly<Record<Script, string>> | undefined
  const texts = new Map<string, string>()

  function fileOf(script: Script): string | undefined {
    try {
      manifest ??= JSON.parse(readFileSync(join(CHECKOUT_BUILD, 'manifest.json'), 'utf8')) as Record<Script, string>
    } catch {
      return undefined
    }
    return manifest[script]
  }

  return {
    url: (script) => `/checkout/${fileOf(script) ?? `${script}.js`}`,
    text: (script) => {
      const name = fileOf(script)
      if (name === undefined) return ''
      const text = texts.get(name) ?? readFileSync(join(CHECKOUT_BUILD, name), 'utf8')
      texts.set(name, text)
      return text
    },
  }
}
