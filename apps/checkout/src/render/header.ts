import { logo } from './document.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { LANGUAGES } from './languages.ts'
import { icon } from './marks.ts'
import type { Subject } from './subject.ts'
import type { Theme } from './view.ts'
import type { Words } from './words.ts'

/** Draws whose page this is, and the choice of language and colours. */
export function merchantHeader(subject: Subject, pageUrl: string): Html {
  const { words, theme } = subject
  return html`<header class="head">
    ${sign(subject)}${languageMenu(words, pageUrl)}${themeMenu(words, pageUrl, theme)}
  </header>`
}

/** Draws whose page this is where nobody chooses anything: on a counter. */
export function shopSign(subject: Subject): Html {
  return html`<header class="head">${sign(subject)}</header>`
}

function sign({ project, merchant, siteUrl }: Subject): Html {
  return html`${logo(project.logoPath, merchant, siteUrl)}<span class="name"><bdi>${merchant}</bdi></span>`
}

/** Draws "EN ▾": plain links, so that it works without a script. */
export function languageMenu(words: Words, pageUrl: string): Html {
  const { language } = words
  const links = LANGUAGES.map(({ code, name }) => {
    const isChosen = code === language.code
    return html`<a href="${withWish(pageUrl, 'lang', code)}" lang="${code}" ${isChosen && html` aria-current="true"`}
      >${name}</a
    >`
  })
  return menu('languages', words.text('language'), html`${language.code.toUpperCase()}`, links)
}

/** Draws the choice of colours, folded away likewise. */
export function themeMenu(words: Words, pageUrl: string, theme: Theme | undefined): Html {
  const links = ([undefined, 'light', 'dark'] as const).map((choice) => {
    const isChosen = choice === theme
    return html`<a href="${withWish(pageUrl, 'theme', choice)}" ${isChosen && html` aria-current="true"`}
      >${words.say(`theme.${choice ?? 'system'}`)}</a
    >`
  })
  return menu('themes', words.text('theme'), icon('moon'), links)
}

function menu(id: string, label: string, sign: Html, links: readonly Html[]): Html {
  return html`<details class="menu" id="${id}" data-menu>
    <summary title="${label}"><span class="vh">${label} </span>${sign}</summary>
    <nav aria-label="${label}">${links}</nav>
  </details>`
}

/** The same page with one wish set, or taken back. */
function withWish(pageUrl: string, name: string, value: string | undefined): string {
  const [path = '', query = ''] = pageUrl.split('?')
  const wishes = new URLSearchParams(query)
  if (value === undefined) wishes.delete(name)
  else wishes.set(name, value)
  const printed = wishes.toString()
  return printed === '' ? path : `${path}?${printed}`
}
