import ar from '../../locales/ar.json' with { type: 'json' }
import cs from '../../locales/cs.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fa from '../../locales/fa.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import he from '../../locales/he.json' with { type: 'json' }
import hi from '../../locales/hi.json' with { type: 'json' }
import id from '../../locales/id.json' with { type: 'json' }
import it from '../../locales/it.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import ko from '../../locales/ko.json' with { type: 'json' }
import nl from '../../locales/nl.json' with { type: 'json' }
import pl from '../../locales/pl.json' with { type: 'json' }
import pt from '../../locales/pt.json' with { type: 'json' }
import ru from '../../locales/ru.json' with { type: 'json' }
import tr from '../../locales/tr.json' with { type: 'json' }
import uk from '../../locales/uk.json' with { type: 'json' }
import vi from '../../locales/vi.json' with { type: 'json' }
import zh from '../../locales/zh.json' with { type: 'json' }

export type TextKey = keyof typeof en

/** Tells whether the catalogues have a text of this name. */
export function isTextKey(name: string): name is TextKey {
  return Object.hasOwn(en, name)
}

/** All texts of one language. */
export type Catalogue = Readonly<Record<TextKey, string>>

export type Language = {
  /** As `lang` names it, in the address and on the page. */
  readonly code: string
  /** How numbers and dates are written: 24 hours in English, as in the source texts. */
  readonly tag: string
  /** Its own name for itself. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: Catalogue
}

export const ENGLISH: Language = { code: 'en', tag: 'en-GB', name: 'English', dir: 'ltr', texts: en }

/** Every language a payer may read, in the order of the menu. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  language('de', 'Deutsch', de),
  language('es', 'Español', es),
  language('fr', 'Français', fr),
  language('it', 'Italiano', it),
  language('pt', 'Português', pt),
  language('nl', 'Nederlands', nl),
  language('pl', 'Polski', pl),
  language('cs', 'Čeština', cs),
  language('tr', 'Türkçe', tr),
  language('ru', 'Русский', ru),
  language('uk', 'Українська', uk),
  language('ar', 'العربية', ar, 'rtl'),
  language('he', 'עברית', he, 'rtl'),
  language('fa', 'فارسی', fa, 'rtl'),
  language('hi', 'हिन्दी', hi),
  language('id', 'Bahasa Indonesia', id),
  language('vi', 'Tiếng Việt', vi),
  language('zh', '中文', zh),
  language('ja', '日本語', ja),
  language('ko', '한국어', ko),
]

function language(code: string, name: string, texts: Catalogue, dir: 'ltr' | 'rtl' = 'ltr'): Language {
  return { code, tag: code, name, dir, texts }
}

/** Codes some browsers still send (ISO 639, withdrawn). */
const OLD_CODES: Readonly<Record<string, string>> = { iw: 'he', in: 'id' }

/** Finds a language by a tag such as `pt-BR`; regions share one catalogue. */
export function findLanguage(tag: string): Language | undefined {
  const [primary = ''] = tag.trim().toLowerCase().split('-')
  return LANGUAGES.find(({ code }) => code === (OLD_CODES[primary] ?? primary))
}

/**
 * Chooses what a payer reads: what the address asks for, then the project's language, then what the browser prefers (RFC 9110,
 * 12.5.4), then English.
 */
export function chooseLanguage(asked: string | undefined, accepted: string | undefined, preferred = ''): Language {
  const wished = (accepted ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';')
      const quality = parameters.map((one) => /^\s*q=([\d.]+)/.exec(one)?.[1]).find((value) => value !== undefined)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const found = wished.map(({ tag }) => findLanguage(tag)).find((one) => one !== undefined)
  return findLanguage(asked ?? '') ?? findLanguage(preferred) ?? found ?? ENGLISH
}
