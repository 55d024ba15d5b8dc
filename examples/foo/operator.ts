import { defineOperator } from 'kubewright'
import { Foo } from './api/foo.js'
import { fooController } from './controllers/foo.js'

export const operator = defineOperator({ name: 'foo-operator', kinds: [Foo], controllers: [fooController] })
