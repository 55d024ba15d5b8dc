// The one table of the house: which room may import which. `npm run rooms` enforces it.
// Depth 0 is the cellar; a room imports at most the rooms listed beside it, and only through their doors.
export const rooms = {
  base: [],
  observe: ['base'],
  objects: ['base'],
  kinds: ['objects'],
  schema: ['base', 'objects'],
  queue: ['base', 'observe'],
  client: ['base', 'observe', 'objects'],
  cache: ['base', 'observe', 'objects', 'client'],
  apiserver: ['base', 'observe', 'objects', 'kinds', 'schema'],
  controller: ['base', 'observe', 'objects', 'kinds', 'client', 'cache', 'queue'],
  manager: ['base', 'observe', 'objects', 'kinds', 'client', 'cache'],
  testing: ['base', 'observe', 'objects', 'kinds', 'schema', 'client', 'apiserver'],
  operator: [
    'base',
    'observe',
    'objects',
    'kinds',
    'schema',
    'client',
    'cache',
    'queue',
    'controller',
    'manager',
  ],
  cli: ['base', 'observe', 'objects', 'schema', 'client', 'apiserver', 'operator', 'testing'],
}

/** The facade (`src/index.ts`) lists names from these doors and from nowhere else. */
export const facadeRooms = [
  'base',
  'observe',
  'objects',
  'schema',
  'client',
  'controller',
  'manager',
  'operator',
]
