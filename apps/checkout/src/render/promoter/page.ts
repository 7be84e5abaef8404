/** The page a promoter sees (screens.md 3.47), alone or in a frame of the shop's own site. */
import { renderDocument, logo } from '../layout/document.ts'
import { languageMenu, themeMenu } from '../layout/header.ts'
import { drawnTheme } from '../layout/theme.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { icon } from '../markup/icons.ts'
import { translatorFor } from '../text/translator.ts'
import type { Translator } from '../text/translator.ts'
import type { Preferences, Rendered } from '../view.ts'
import { facts } from './facts.ts'
import { PROMOTER_SHEETS } from './style.ts'
import type { PromoterPage, PromoterView } from './view.ts'
import { withdrawSection } from './withdraw.ts'

/** Draws the page of one promoter as it is now. */
export function renderPromoter(view: PromoterView): Rendered {
  const translator = translatorFor(view)
  const { page, path, siteUrl } = view
  const theme = drawnTheme(view.theme)
  const { project, referrer } = page
  return renderDocument({
    title: `${translator.text('promoter.title')} · ${project.name}`,
    main: html`<main>
      <div class="card">
        <h1 id="headline" tabindex="-1">${translator.say('promoter.title')}</h1>
        ${referrer.status !== 'active' && html`<p class="note"><span>${translator.say('promoter.inactive', { merchant: project.name })}</span></p>`}
        ${sharing(page, translator)}${facts(view, translator)}${withdrawSection(view, translator)}
      </div>
      <p class="status info" id="status" role="status" data-glyph="i" hidden></p>
    </main>`,
    translator,
    brandColor: project.brandColor,
    theme,
    shape: 'plain',
    header: html`<header class="head">
      ${logo(project.logoPath, project.name, siteUrl)}<span class="name"><bdi>${project.name}</bdi></span
      >${languageMenu(translator, pageUrl(path, view))}${themeMenu(translator, pageUrl(path, view), theme)}
    </header>`,
    ...(view.script !== '' && { script: { inline: view.script } }),
    sheets: PROMOTER_SHEETS,
  })
}

/** Draws the page of a link that is no longer valid. */
export function renderExpired(preferences: Preferences = {}): Rendered {
  const translator = translatorFor(preferences)
  const title = translator.text('promoter.expired')
  return renderDocument({
    title,
    main: html`<main>
      <div class="card">
        <div class="outcome">
          <div class="disc neutral">${icon('cross')}</div>
          <div class="words">
            <h1>${title}</h1>
            <p class="muted">${translator.say('promoter.expiredHelp')}</p>
          </div>
        </div>
      </div>
    </main>`,
    translator,
    brandColor: '',
    theme: drawnTheme(preferences.theme),
    shape: 'plain',
    header: html`<div class="head"></div>`,
  })
}

function pageUrl(path: string, { lang, theme }: Preferences): string {
  const wished = new URLSearchParams({ ...(lang !== undefined && { lang }), ...(theme && { theme }) }).toString()
  return wished === '' ? path : `${path}?${wished}`
}

function sharing({ referrer: { code, link }, project }: PromoterPage, translator: Translator): Html {
  const copied = translator.text('promoter.copied')
  const failed = translator.text('promoter.notCopied')
  const copy = (id: string, label: string, text: string) =>
    html`<button
      class="button"
      type="button"
      id="${id}"
      data-copy="${text}"
      data-copied="${copied}"
      data-failed="${failed}"
      data-script
    >
      ${icon('copy')}${label}
    </button>`
  return html`<section class="share" aria-labelledby="code-name">
    <p>
      <span class="muted small" id="code-name">${translator.say('promoter.code')}</span
      ><bdi dir="ltr" class="promoter-code">${code}</bdi>
    </p>
    ${copy('copy-code', translator.text('promoter.copyCode'), code)}
    ${
      link !== '' &&
      html`<p>
          <span class="muted small">${translator.say('promoter.link')}</span><bdi dir="ltr" class="mono">${link}</bdi>
        </p>
        ${copy('copy-link', translator.text('promoter.copyLink'), link)}
        <button
          class="button"
          type="button"
          id="share"
          data-title="${project.name}"
          data-url="${link}"
          data-script
          hidden
        >
          ${translator.say('promoter.share')}
        </button>`
    }
  </section>`
}
