// For editors and `npx depcruise`: the rules are written in scripts/checks/import-rules.ts.
export { importRules as default } from './scripts/checks/import-rules.ts'
