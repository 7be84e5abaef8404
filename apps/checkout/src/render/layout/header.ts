import { logo } from './document.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { LANGUAGES } from '../text/languages.ts'
import { icon } from '../markup/icons.ts'
import type { ViewModel } from '../view-model.ts'
import type { Theme } from '../view.ts'
import type { Translator } from '../text/translator.ts'

/** Draws whose page this is, and the choice of language and colours. */
export function merchantHeader(viewModel: ViewModel, pageUrl: string): Html {
  const { translator, theme, project } = viewModel
  // Without a choice in the URL the project's colours would apply again.
  const system = project.checkoutTheme === 'system' ? undefined : 'system'
  return html`<header class="head">
    ${sign(viewModel)}${languageMenu(translator, pageUrl)}${themeMenu(translator, pageUrl, theme, system)}
  </header>`
}

/** Draws the shop's name on a page without choices, as on a counter. */
export function shopSign(viewModel: ViewModel): Html {
  return html`<header class="head">${sign(viewModel)}</header>`
}

function sign({ project, merchant, siteUrl }: ViewModel): Html {
  return html`${logo(project.logoPath, merchant, siteUrl)}<span class="name"><bdi>${merchant}</bdi></span>`
}

/** Draws "EN ▾": plain links, so that it works without a script. */
export function languageMenu(translator: Translator, pageUrl: string): Html {
  const { language } = translator
  const links = LANGUAGES.map(({ code, name }) => {
    const isChosen = code === language.code
    return html`<a
      href="${withPreference(pageUrl, 'lang', code)}"
      lang="${code}"
      ${isChosen && html` aria-current="true"`}
      >${name}</a
    >`
  })
  return menu('languages', translator.text('language'), html`${language.code.toUpperCase()}`, links)
}

/** Draws the choice of colours, folded likewise; `system` is the value in the URL that stands for the device's colours. */
export function themeMenu(translator: Translator, pageUrl: string, theme: Theme | undefined, system?: 'system'): Html {
  const links = ([undefined, 'light', 'dark'] as const).map((choice) => {
    const isChosen = choice === theme
    return html`<a
      href="${withPreference(pageUrl, 'theme', choice ?? system)}"
      ${isChosen && html` aria-current="true"`}
      >${translator.say(`theme.${choice ?? 'system'}`)}</a
    >`
  })
  return menu('themes', translator.text('theme'), icon('moon'), links)
}

function menu(id: string, label: string, sign: Html, links: readonly Html[]): Html {
  return html`<details class="menu" id="${id}" data-menu>
    <summary title="${label}"><span class="vh">${label} </span>${sign}</summary>
    <nav aria-label="${label}">${links}</nav>
  </details>`
}

/** The same page with one wish set, or taken back. */
function withPreference(pageUrl: string, name: string, value: string | undefined): string {
  const [path = '', query = ''] = pageUrl.split('?')
  const preferences = new URLSearchParams(query)
  if (value === undefined) preferences.delete(name)
  else preferences.set(name, value)
  const printed = preferences.toString()
  return printed === '' ? path : `${path}?${printed}`
}
