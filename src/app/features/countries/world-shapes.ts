import { geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import * as z from 'zod/mini'
import { findCountryCode } from '#contract/country.ts'

/** One land of the map. `code` is null for the few that have none of their own. */
export type WorldShape = { id: string; code: string | null; path: string }

export const MAP_WIDTH = 800
export const MAP_HEIGHT = 392

/** Without land that is nobody's, the rest has more room. */
const LEFT_OUT = 'Antarctica'

// The map shortens some names, and means the Republic by 'Congo'.
const SHORTENED: ReadonlyMap<string, string> = new Map([
  ['W. Sahara', 'EH'],
  ['Dem. Rep. Congo', 'CD'],
  ['Congo', 'CG'],
  ['Dominican Rep.', 'DO'],
  ['Falkland Is.', 'FK'],
  ['Fr. S. Antarctic Lands', 'TF'],
  ['Central African Rep.', 'CF'],
  ['Eq. Guinea', 'GQ'],
  ['Palestine', 'PS'],
  ['Myanmar', 'MM'],
  ['Solomon Is.', 'SB'],
  ['Bosnia and Herz.', 'BA'],
  ['S. Sudan', 'SS'],
])

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>
const atlasSchema = z.custom<Atlas>()

/** The lands of the world as paths, areas true to each other. Browsers get what this comes to: see `vite.config.ts`. */
export const WORLD_SHAPES: readonly WorldShape[] = drawWorld()

function drawWorld(): WorldShape[] {
  const topology = atlasSchema.parse(atlas)
  const world = feature(topology, topology.objects.countries)
  const lands = world.features.filter(({ properties }) => properties.name !== LEFT_OUT)
  const projection = geoEqualEarth().fitSize([MAP_WIDTH, MAP_HEIGHT], { ...world, features: lands })
  const draw = geoPath(projection).digits(1)
  return lands.map((land) => {
    const { name } = land.properties
    return { id: name, code: SHORTENED.get(name) ?? findCountryCode(name), path: draw(land) ?? '' }
  })
}
