/** The built scripts of the payer's pages (apps/checkout/build.mjs). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const CHECKOUT_BUILD = join(import.meta.dirname, '../../../checkout/build')

type Script = 'script' | 'wallet' | 'check' | 'derive'

let manifest: Readonly<Record<Script, string>> | undefined

/** A script's address, which carries its hash; without a build one that is not there, and the page works without it. */
export function builtUrl(script: Script): string {
  return `/checkout/${manifestFile()?.[script] ?? `${script}.js`}`
}

/** A script's text, for the page it stands in. */
export function builtText(script: Script): string {
  const name = manifestFile()?.[script]
  return name === undefined ? '' : readFileSync(join(CHECKOUT_BUILD, name), 'utf8')
}

function manifestFile(): Readonly<Record<Script, string>> | undefined {
  try {
    manifest ??= JSON.parse(readFileSync(join(CHECKOUT_BUILD, 'manifest.json'), 'utf8')) as Record<Script, string>
  } catch {
    return undefined
  }
  return manifest
}
