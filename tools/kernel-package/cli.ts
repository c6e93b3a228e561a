#!/usr/bin/env node
import { kernelCommand } from "../../src/cli/kernel.ts";

await kernelCommand().name("ketbook-kernel").parseAsync();
