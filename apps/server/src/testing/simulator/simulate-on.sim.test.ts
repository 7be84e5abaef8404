import { testSeeds } from './seeds.ts'

testSeeds(61, 81, 101)
