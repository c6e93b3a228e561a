/** The part of the protocol's packages that is used here, for checkouts whose packages are not installed anew. */
declare module "@modelcontextprotocol/server" {
  type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };
  export interface CallToolResult {
    content: Content[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  }
  export class McpServer {
    constructor(info: { name: string; version: string }, options: { instructions: string });
    registerTool<Input extends import("zod").ZodType>(
      name: string,
      config: {
        description: string;
        inputSchema: Input;
        outputSchema?: import("zod").ZodType;
        annotations: { [hint: string]: boolean };
      },
      call: (args: import("zod").output<Input>) => Promise<CallToolResult>,
    ): void;
    registerResource(
      name: string,
      uri: string,
      config: { title: string; mimeType: string },
      read: () => Promise<{ contents: { uri: string; mimeType: string; text: string }[] }>,
    ): void;
  }
  export function createMcpHandler(make: () => McpServer): { fetch(request: Request): Promise<Response> };
  export function localhostAllowedHostnames(): string[];
  export function localhostAllowedOrigins(): string[];
  export function hostHeaderValidationResponse(request: Request, names: string[]): Response | undefined;
  export function originValidationResponse(request: Request, names: string[]): Response | undefined;
}

declare module "@modelcontextprotocol/server/stdio" {
  export function serveStdio(make: () => import("@modelcontextprotocol/server").McpServer): void;
}

declare module "@modelcontextprotocol/client" {
  export class Client {
    constructor(info: { name: string; version: string });
    connect(transport: object): Promise<void>;
    close(): Promise<void>;
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
    listTools(): Promise<{
      tools: {
        name: string;
        description?: string;
        inputSchema: { type: string };
        annotations?: { readOnlyHint?: boolean };
      }[];
    }>;
    listResources(): Promise<{ resources: { uri: string }[] }>;
    readResource(from: { uri: string }): Promise<{ contents: object[] }>;
  }
  export class StreamableHTTPClientTransport {
    constructor(url: URL);
  }
}

declare module "@modelcontextprotocol/client/stdio" {
  export class StdioClientTransport {
    constructor(process: { command: string; args: string[]; env: Record<string, string>; stderr: "inherit" });
  }
}
