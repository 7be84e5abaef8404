import type { Routes } from '@kassa/contract/kit/route.ts'
import { isTestCode, readSources } from './source-files.ts'

/** Lists the codes that routes declare and that no test names, each with the numbers of its routes. */
export async function untestedErrors(
  root: string,
  groups: Readonly<Record<string, Routes>>,
): Promise<{ code: string; routes: string[] }[]> {
  const tests = await readSources(root, (path) => /\.test\.tsx?$/.test(path) && isTestCode(path))
  const named = new Set(tests.flatMap(({ text }) => text.match(/(?<=['"`])[A-Z][A-Z0-9_]+(?=['"`])/g) ?? []))
  const declared = new Map<string, string[]>()
  for (const route of Object.values(groups).flatMap((routes) => Object.values(routes))) {
    for (const code of route.errors) declared.set(code, [...(declared.get(code) ?? []), route.id])
  }
  return [...declared].filter(([code]) => !named.has(code)).map(([code, routes]) => ({ code, routes }))
}
