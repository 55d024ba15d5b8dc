import { expect, test } from 'vitest'
import { declaredType, nameTypes } from '../kubernetes/declared-type.js'
import { compileProgram, createEnvironment } from '../kubernetes/program.js'
import { schemaNode } from '../kubernetes/schema-node.js'
import { schemaValue } from '../kubernetes/schema-value.js'
import { boolType, dynType } from '../value/type.js'

const environment = createEnvironment()
const node = schemaNode({
  type: 'object',
  properties: {
    i: { type: 'integer' },
    s: { type: 'string' },
    l: { type: 'array', items: { type: 'integer' } },
    o: { type: 'object', properties: { x: { type: 'object', properties: { y: { type: 'integer' } } } } },
  },
})
const data = { i: 1, s: 'x'.repeat(25), l: [1, 2, 3], o: { x: { y: 1 } } }

// The costs are those of a kube-apiserver 1.36.3.
test.each([
  ['true', 0],
  ['self.i == 1', 3],
  ['self.o.x.y == 1', 5],
  ['has(self.o.x.y)', 3],
  ['has(self.i) ? self.i == 1 : false', 4],
  ['self.l[0] == 1', 4],
  ['self.l[self.i] == 2', 5],
  ['self.l[self.i + 0] == 2', 7],
  ['self.i in [1, 2, 3]', 2],
  ['self.i in self.l', 7],
  ["self.s.startsWith('x')", 5],
  ["self.s == 'y'", 3],
  ["self.s.matches('^x+$')", 5],
  ["self.s.contains('xx')", 5],
  ['self.l.all(a, a > 0)', 18],
  ['self.l.exists(a, a > 2)', 21],
  ['self.l.map(a, a + 1).size() == 3', 47],
  ['[self.i, 2] == self.l', 15],
  ["{'a': self.i}.a == 1", 35],
  ['self.?i.orValue(2) == 1', 3],
  ['sets.contains(self.l, self.l)', 14],
  ['self.l.sort() == self.l', 34],
  ["quantity('1').isLessThan(quantity('2'))", 3],
])('%s costs %i', (source, cost) => {
  const program = compileProgram(environment, {
    source,
    selfType: nameTypes(declaredType(node, false) ?? dynType, 'selfType'),
    optionalOldSelf: false,
    resultType: boolType,
    wrongResult: 'not a bool',
    prefix: '',
  })
  expect(program.run(schemaValue(data, node), undefined).cost).toBe(cost)
})
